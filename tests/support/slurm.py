"""A Slurm of its own for a test: controller, one node and munge on localhost, on free ports, with all files in a folder of the test."""
import os
import pathlib
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scontrol", "squeue", "scancel")

# Tasks share one node of two processors. A job of the partition `urgent` preempts those of `main`, which go back to the queue; what
# they are told, and how long they have (KillWait), is as on a cluster. Without control groups, so that it runs in a container.
CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=1,sched_interval=1
SlurmdParameters=config_overrides
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
KillWait=20
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/filetxt
JobCompLoc={folder}/ended.txt
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES PriorityTier=1 State=UP
PartitionName=urgent Nodes=ALL PriorityTier=2 State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    """Started by the constructor, which returns when the node takes jobs; stopped by close(), with every job."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="csim_slurm_"))
        self.daemons = []
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self):
        folder = self.folder
        for name in ("state", "spool"):
            (folder / name).mkdir()
        folder.chmod(0o755)  # munge insists on folders that others cannot write
        key = folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        controller_port, node_port = free_ports(2)
        configuration = folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=pwd.getpwuid(os.geteuid()).pw_name, folder=folder,
            controller_port=controller_port, node_port=node_port))
        self.environment = {**os.environ, "SLURM_CONF": str(configuration),
                            "PATH": os.environ["PATH"] + ":/usr/sbin"}
        self._daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket",
                     f"--pid-file={folder}/munged.pid", f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed")
        self.wait("munge answers", lambda: (folder / "munge.socket").exists())
        self._daemon("slurmctld", "-D", "-c", "-f", str(configuration))
        self._daemon("slurmd", "-D", "-c", "-f", str(configuration))
        self.wait("the node takes jobs", lambda: "IDLE" in self.call("scontrol", "show", "node", check=False)
                  and "NOT_RESPONDING" not in self.call("scontrol", "show", "node", check=False))

    def _daemon(self, name, *arguments):
        with open(self.folder / f"{name}.out", "wb") as output:
            self.daemons.append(subprocess.Popen([name, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                                                 stderr=subprocess.STDOUT, start_new_session=True))

    def call(self, *command, check=True, **options):
        """What a command of Slurm prints."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, **options)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr}\n{self.logs()}")
        return done.stdout

    def wait(self, what, condition, timeout=60):
        end = time.monotonic() + timeout
        while not condition():
            dead = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                raise TimeoutError(f"{what}: not within {timeout} s; ended: {dead}\n{self.logs()}")
            time.sleep(0.05)

    def logs(self):
        """The last lines of every daemon, for a message."""
        return "\n".join(f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:])
                         for path in sorted(self.folder.glob("*.out")))

    def job(self, task):
        """The fields of a job or of a task of an array."""
        return dict(word.split("=", 1) for word in self.call("scontrol", "show", "job", "-o", task).split() if "=" in word)

    def close(self):
        if len(self.daemons) == 3 and all(daemon.poll() is None for daemon in self.daemons):
            self.call("scancel", "--me", check=False)
            end = time.monotonic() + 30
            while self.call("squeue", "-h", check=False).strip() and time.monotonic() < end:
                time.sleep(0.1)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
