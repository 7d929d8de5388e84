"""Where a program of this folder writes."""
import pathlib
import sys


def scene_folder(name):
    """scenes/NAME, or NAME in the folder that the command line names; made when it is missing."""
    scenes = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[3] / "scenes"
    (scenes / name).mkdir(parents=True, exist_ok=True)
    return scenes / name
