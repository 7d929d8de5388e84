"""A still of a scene at a time, with the patches' pressures."""
import pathlib
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]


def draw(csim, scene, time, name, docs):
    """Runs scenes/`scene` to `time` (s) and writes DOCS/spatula_pancake/`name`.png."""
    picture = docs / "spatula_pancake" / f"{name}.png"
    picture.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "scene.h5"
        subprocess.run([csim, "run", SOURCE / "scenes" / scene / "scene.yaml", "-o", output, "-q", "--set=output.patches=full", f"--end={time}"],
                       check=True, stdout=subprocess.DEVNULL)
        subprocess.run([csim, "view", output, "--png", picture, "--size", "960x540", "--force"], check=True, stdout=subprocess.DEVNULL)
