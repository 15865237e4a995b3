"""A real Flink cluster on this machine for Beam's Python jobs.

One job manager, one or several task managers, Beam's job server and a pool of Python workers, all on localhost.
Run it with the interpreter for the workers. Linux only: processes are identified by a mark in their
environment, so that it ends all of its own processes and no others. See README.md for usage.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import psutil

HERE = Path(__file__).resolve().parent
CONF, LOCK = HERE / "conf", HERE / "jars.sha256"
CACHE = Path(os.environ.get("TACENDA_FLINK_CACHE", HERE / ".cache")).resolve()
# Beam's job server sends every jar of its class path to the cluster with every job (152 MB took 12 s),
# unless its path has "gradle/wrapper" in it (PipelineResources.isStageable). The cluster has them already.
JARS = CACHE / "gradle" / "wrapper"
RUN = CACHE / "run"
STATE = RUN / "state.json"
MARK = f"TACENDA_FLINK_RUN={RUN}"
START_TIMEOUT_S = 300.0
STOP_TIMEOUT_S = 15.0
ANSWER_S = 30.0

MAVEN_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
JOB_SERVER = "org.apache.beam.runners.flink.FlinkJobServerDriver"
JOB_MANAGER = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"

# Flink and Kryo reach into these parts of the platform, which Java 17 keeps closed unless told otherwise.
JAVA_EXPORTS = ("java.base/sun.net.util", "java.rmi/sun.rmi.registry", "java.security.jgss/sun.security.krb5")
JAVA_OPENS = (
    *("java.lang", "java.lang.reflect", "java.io", "java.net", "java.nio", "sun.nio.ch", "java.text"),
    *("java.time", "java.util", "java.util.concurrent", "java.util.concurrent.atomic"),
    "java.util.concurrent.locks",
)


class ClusterError(Exception):
    """One line for the user: what, where, how to mend."""


@dataclass(frozen=True)
class Settings:
    """Sizes and ports of the cluster, each a flag of ``start``."""

    task_managers: int = 1
    slots: int = 2
    rest_port: int = 8081
    rpc_port: int = 6123
    job_port: int = 8099
    artifact_port: int = 8098
    pool_port: int = 50000

    @property
    def parallelism(self) -> int:
        """That of a job: the slots of one task manager."""
        return self.slots


class Part(NamedTuple):
    """One process of the cluster, with a check for readiness and the file that its output goes to."""

    name: str
    command: list[str]
    is_ready: Callable[[], bool]

    @property
    def log(self) -> Path:
        return RUN / f"{self.name}.log"


# ---- jars


def fetch() -> None:
    """Download every jar in jars.sha256 into the cache and verify it; does nothing if all are there."""
    began = time.monotonic()
    if is_fetched():
        say(f"fetch: {JARS} is complete")
        return
    unfinished = CACHE / "unfinished"
    wanted = dict(line.split()[::-1] for line in LOCK.read_text().splitlines())
    for part, bring in (("flink", bring_flink), ("beam", bring_beam)):
        folder = unfinished / part
        names = {
            name.partition("/")[2]: digest for name, digest in wanted.items() if name.startswith(f"{part}/")
        }
        if digests(folder) != names:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            bring(folder, {*names})
        if wrong := sorted(dict(digests(folder).items() ^ names.items())):
            raise ClusterError(
                f"fetch: {len(wrong)} jars are not those of {LOCK.name}, first {part}/{wrong[0]}"
            )
        say(f"fetch: {part}: {len(names)} jars, all as in {LOCK.name}")
    shutil.rmtree(JARS, ignore_errors=True)
    JARS.parent.mkdir(exist_ok=True)
    (unfinished / "COMPLETE").write_text(digest_of(LOCK))
    unfinished.rename(JARS)
    say(f"fetch: done in {time.monotonic() - began:.1f} s")


def is_fetched() -> bool:
    """Whether the cache has the jars of the current jars.sha256."""
    marker = JARS / "COMPLETE"
    return marker.is_file() and marker.read_text() == digest_of(LOCK)


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of a folder."""
    return {file.name: digest_of(file) for file in folder.glob("*")}


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bring_flink(folder: Path, names: set[str]) -> None:
    """Extract Flink's jars from the source archive of its Python package, without building it."""
    sdist, listed = folder.parent / "sdist", str(HERE / "requirements.txt")
    options = "download --quiet --no-deps --require-hashes --no-binary apache-flink-libraries".split()  # noqa: SIM905
    download([sys.executable, "-m", "pip", *options, "-r", listed, "-d", str(sdist)])
    with tarfile.open(next(sdist.glob("*.tar.gz"))) as archive:
        for member in archive:
            name = member.name.rpartition("/")[2]
            content = archive.extractfile(member) if "/deps/lib/" in member.name and name in names else None
            if content is not None:
                (folder / name).write_bytes(content.read())
    shutil.rmtree(sdist)


def bring_beam(folder: Path, _names: set[str]) -> None:
    """Download Beam's job server and its runtime dependencies from the configured Maven repository."""
    maven = shutil.which("mvn")
    if maven is None:
        raise ClusterError("fetch: Maven is not on the PATH; install it (Debian: apt-get install maven)")
    command = [maven, "--batch-mode", "--quiet", "--strict-checksums", "-f", str(HERE / "pom.xml")]
    download([*command, MAVEN_PLUGIN, "-DincludeScope=runtime", f"-DoutputDirectory={folder}"])


def download(command: list[str]) -> None:
    """Run a tool that downloads; ClusterError with the end of its output when it fails."""
    environment = {**os.environ, "PIP_RESUME_RETRIES": "5"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        name, tail = Path(command[0]).name, last_lines(done.stdout + done.stderr)
        raise ClusterError(f"fetch: {name} ended with {done.returncode}; run fetch again\n{tail}")


def last_lines(text: str) -> str:
    """The end of some output, for a message."""
    return "\n".join(text.splitlines()[-20:])


def say(line: str) -> None:
    """Print a line and flush, since the next step may take a while."""
    print(line, flush=True)  # noqa: T201


# ---- what is started


def java(main_class: str, options: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """The command line of a Java process, with common class path and logging."""
    home = os.environ.get("JAVA_HOME")
    binary = shutil.which("java", path=f"{home}/bin" if home else None)
    if binary is None:
        raise ClusterError("start: no Java found; install Java 11 or 17, or point JAVA_HOME at one")
    opened = [f"--add-exports={name}=ALL-UNNAMED" for name in JAVA_EXPORTS]
    opened += [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in JAVA_OPENS]
    common = ["-XX:-UsePerfData", f"-Djava.io.tmpdir={RUN / 'tmp'}"]
    common += [f"-Dlog4j.configurationFile={CONF / 'log4j.properties'}"]
    class_path = os.pathsep.join(f"{JARS / part}/*" for part in ("flink", "beam"))
    return [binary, *opened, *common, *options, "-cp", class_path, main_class, *arguments]


def parts(settings: Settings) -> list[Part]:
    """The processes, in the order in which they come up."""
    keys = {
        "rest.port": settings.rest_port,
        "rest.bind-port": settings.rest_port,
        "jobmanager.rpc.port": settings.rpc_port,
        "taskmanager.numberOfTaskSlots": settings.slots,
        "parallelism.default": settings.parallelism,
        "io.tmp.dirs": RUN / "tmp",
        "blob.storage.directory": RUN / "tmp",
    }
    defined = (word for key, value in keys.items() for word in ("-D", f"{key}={value}"))
    flink = ["--configDir", str(CONF), *defined]
    job_server = [
        "--job-host=localhost",
        f"--job-port={settings.job_port}",
        f"--artifact-port={settings.artifact_port}",
        "--expansion-port=-1",  # transforms in other languages: none here
        f"--flink-master=localhost:{settings.rest_port}",
        f"--artifacts-dir={RUN / 'artifacts'}",
    ]
    manager = java(JOB_MANAGER, ["-Xmx768m"], [*flink, "--executionMode", "cluster"])
    worker = java(TASK_MANAGER, ["-Xmx896m", "-XX:MaxDirectMemorySize=512m"], flink)
    server = java(JOB_SERVER, ["-Xmx768m"], job_server)
    pool = [sys.executable, str(HERE / "worker_pool.py"), str(settings.pool_port)]
    slots = settings.slots * settings.task_managers
    workers = ["task_manager", *(f"task_manager_{i}" for i in range(1, settings.task_managers))]

    def all_slots() -> bool:
        return (ask(settings, "/overview") or {}).get("slots-total") == slots

    return [
        Part("job_manager", manager, lambda: ask(settings, "/overview") is not None),
        *(Part(name, worker, all_slots) for name in workers),
        Part("job_server", server, lambda: listens(settings.job_port) and listens(settings.artifact_port)),
        Part("worker_pool", pool, lambda: listens(settings.pool_port)),
    ]


# ---- questions


def ask(settings: Settings, path: str, method: str = "GET") -> dict[str, Any] | None:
    """The job manager's answer, bypassing proxies; None if it does not answer."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(f"http://localhost:{settings.rest_port}{path}", method=method)
    try:
        with opener.open(request, timeout=ANSWER_S) as answer:
            found = json.load(answer)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def running_jobs(settings: Settings) -> list[str]:
    """Flink's ids of the jobs that have not ended."""
    jobs = (ask(settings, "/jobs/overview") or {}).get("jobs", [])
    return [job["jid"] for job in jobs if job["state"] not in {"FINISHED", "CANCELED", "FAILED"}]


def listens(port: int) -> bool:
    """Whether something on this machine accepts connections at `port`."""
    try:
        socket.create_connection(("localhost", port), timeout=1).close()
    except OSError:
        return False
    return True


def our_processes() -> list[psutil.Process]:
    """Every live process with our mark, including workers of the pool."""
    key, _, value = MARK.partition("=")
    return [
        process
        for process in psutil.process_iter(["environ", "status"])
        # Of another user's, nothing is told.
        if (process.info["environ"] or {}).get(key) == value
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


# ---- verbs


def start(settings: Settings) -> None:
    """Start all parts and wait until each is ready; leaves nothing behind when one is not."""
    began, python = time.monotonic(), Path(sys.executable)
    has_beam = importlib.util.find_spec("apache_beam") and (python.parent / "python").exists()
    taken = [name for name, port in asdict(settings).items() if name.endswith("_port") and listens(port)]
    # What would make the start fail or affect other processes.
    for is_fine, why in (
        (Path("/proc/self/environ").exists(), "this needs Linux (/proc); elsewhere use a Linux container"),
        (is_fetched(), f"the jars are not in {JARS}; run `cluster.py fetch` first"),
        (has_beam, f"{python} has no apache_beam, or no `python` beside it; use your environment's"),
        (not our_processes(), "the cluster is already running; `cluster.py stop` ends it"),
        *(
            (
                False,
                f"port {getattr(settings, name)} is taken; choose another with --{name.replace('_', '-')}",
            )
            for name in taken
        ),
    ):
        if not is_fine:
            raise ClusterError(f"start: {why}")
    shutil.rmtree(RUN, ignore_errors=True)
    (RUN / "tmp").mkdir(parents=True)
    (RUN / "workers").mkdir()
    try:
        running = [(part, launch(part)) for part in parts(settings)]
        for part, process in running:
            wait_until_ready(part, process)
        pids = {part.name: process.pid for part, process in running}
        STATE.write_text(json.dumps({"settings": asdict(settings), "pids": pids}))
    except BaseException:
        end_processes()
        raise
    slots = f"{settings.task_managers} x {settings.slots} slots"
    say(f"start: {slots}, ready in {time.monotonic() - began:.1f} s; logs in {RUN}")


def launch(part: Part) -> subprocess.Popen[bytes]:
    """Start one part in its own session, its output in its own log."""
    key, _, value = MARK.partition("=")
    # Beam's pool starts `python` by name, so this interpreter comes first.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    with part.log.open("wb") as log:
        return subprocess.Popen(  # noqa: S603
            part.command,
            env={**os.environ, key: value, "PATH": path, "PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"},
            cwd=RUN / "workers",  # an empty folder: nothing in it can be imported by mistake
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def wait_until_ready(part: Part, process: subprocess.Popen[bytes]) -> None:
    """Raise ClusterError, with the end of the log, if the part dies or takes too long."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while not part.is_ready():
        code = process.poll()
        if code is not None or time.monotonic() > deadline:
            why = f"was not ready after {START_TIMEOUT_S:.0f} s" if code is None else f"ended with {code}"
            tail = last_lines(part.log.read_text(errors="replace"))
            raise ClusterError(f"start: {part.name} {why}; the end of {part.log}:\n{tail}")
        time.sleep(0.2)


def stop() -> None:
    """End every process of the cluster, by force after a while, and make sure that none is left."""
    began = time.monotonic()
    count = len(our_processes())
    end_processes()
    STATE.unlink(missing_ok=True)
    took = f"{count} processes ended in {time.monotonic() - began:.1f} s"
    say(f"stop: {took if count else 'nothing was running'}")


def end_processes() -> None:
    """Ask all our processes to end, then force them, then make sure."""
    for end in (psutil.Process.terminate, psutil.Process.kill):
        for process in (asked := our_processes()):
            with suppress(psutil.NoSuchProcess):
                end(process)
        psutil.wait_procs(asked, timeout=STOP_TIMEOUT_S)
    if left := [process.pid for process in our_processes()]:
        raise ClusterError(f"stop: processes {left} do not end; kill them by hand")
    shutil.rmtree(RUN / "tmp", ignore_errors=True)


def running_settings(verb: str) -> Settings:
    """The settings that the running cluster was started with."""
    if not STATE.exists() or not our_processes():
        raise ClusterError(f"{verb}: the cluster is not running; `cluster.py start` starts it")
    return Settings(**json.loads(STATE.read_text())["settings"])


def status() -> None:
    """Say what runs; an error unless all of it does."""
    settings = running_settings("status")
    pids, alive = json.loads(STATE.read_text())["pids"], {one.pid for one in our_processes()}
    # The job manager takes most of a minute to miss its task manager: look at the processes too.
    ready = {part.name: pids[part.name] in alive and part.is_ready() for part in parts(settings)}
    for name, is_ready in ready.items():
        say(f"{name:12} {'ready' if is_ready else 'DOWN, see ' + str(RUN / (name + '.log'))}")
    say(f"{'jobs':12} {len(running_jobs(settings))} running")
    if not all(ready.values()):
        raise ClusterError("status: the cluster is not whole; `cluster.py stop`, then start it again")


def job_options() -> None:
    """Print the pipeline options that send a Beam job to the running cluster, one a line."""
    settings = running_settings("job_options")
    # The last: Python processes of each task manager.
    say(
        f"--runner=PortableRunner\n--job_endpoint=localhost:{settings.job_port}\n"
        f"--environment_type=EXTERNAL\n--environment_config=localhost:{settings.pool_port}\n"
        f"--parallelism={settings.parallelism}\n"
        f"--sdk_worker_parallelism={max(1, settings.parallelism // settings.task_managers)}"
    )


def cancel() -> None:
    """Tell every running job to end; one whose driver is gone would keep its slots forever."""
    settings = running_settings("cancel")
    jobs = running_jobs(settings)
    for job in jobs:
        ask(settings, f"/jobs/{job}?mode=cancel", method="PATCH")
    say(f"cancel: {len(jobs)} jobs told to end")


def main(arguments: Sequence[str]) -> int:
    """Run one verb; 0 when done, 2 with one clear line (and a log's end) when not."""
    parser = argparse.ArgumentParser(prog="cluster.py", description=(__doc__ or "").partition("\n")[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in (fetch, start, stop, status, job_options, cancel):
        verbs.add_parser(verb.__name__, help=verb.__doc__).set_defaults(run=verb)
    for field in fields(Settings):
        flag = f"--{field.name.replace('_', '-')}"
        verbs.choices["start"].add_argument(flag, type=int, default=field.default)
    found = vars(parser.parse_args(arguments))
    run, verb = found.pop("run"), found.pop("verb")
    try:
        run(*([Settings(**found)] if verb == "start" else []))
    except ClusterError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
