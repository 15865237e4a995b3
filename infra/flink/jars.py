"""Download Flink's and Beam's jars into the cache, verified against jars.sha256."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("TACENDA_FLINK_CACHE", HERE / ".cache")).resolve()
# Beam's job server sends every jar of its class path to the cluster with every job (152 MB took 12 s),
# unless its path has "gradle/wrapper" in it (PipelineResources.isStageable). The cluster has them already.
JARS = CACHE / "gradle" / "wrapper"
LOCK = HERE / "jars.sha256"
MAVEN_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


class ClusterError(Exception):
    """One line for the user: what, where, how to mend."""


def fetch() -> None:
    """Download every jar in jars.sha256 into the cache and verify it; does nothing if all are there."""
    began = time.monotonic()
    if is_fetched():
        say(f"fetch: {JARS} is complete")
        return
    wanted = locked_jars()
    unfinished = CACHE / "unfinished"
    unfinished.mkdir(parents=True, exist_ok=True)
    for part, bring in (("flink", bring_flink), ("beam", bring_beam)):
        names = {name: digest for name, digest in wanted.items() if name.startswith(part + "/")}
        if wrong_jars(unfinished, names):
            shutil.rmtree(unfinished / part, ignore_errors=True)
            (unfinished / part).mkdir()
            bring(unfinished, [name.partition("/")[2] for name in names])
        wrong = wrong_jars(unfinished, names)
        if wrong:
            raise ClusterError(f"fetch: {len(wrong)} jars are not those of {LOCK.name}, first {wrong[0]}")
        for extra in sorted((unfinished / part).iterdir()):
            if f"{part}/{extra.name}" not in names:
                raise ClusterError(f"fetch: {extra.name} is not named in {LOCK.name}")
        say(f"fetch: {part}: {len(names)} jars, all as in {LOCK.name}")
    shutil.rmtree(JARS, ignore_errors=True)
    JARS.parent.mkdir(exist_ok=True)
    (unfinished / "COMPLETE").write_text(file_digest(LOCK))
    unfinished.rename(JARS)
    say(f"fetch: done in {time.monotonic() - began:.1f} s")


def is_fetched() -> bool:
    """Whether the cache has the jars of the current jars.sha256."""
    marker = JARS / "COMPLETE"
    return marker.is_file() and marker.read_text() == file_digest(LOCK)


def locked_jars() -> dict[str, str]:
    """`beam/NAME.jar` or `flink/NAME.jar` -> its SHA-256."""
    lines = (line.split() for line in LOCK.read_text().splitlines())
    return {name: digest for digest, name in lines}


def wrong_jars(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """Names that are missing in `folder` or differ from the digest wanted."""
    return [
        name
        for name, digest in wanted.items()
        if not (folder / name).is_file() or file_digest(folder / name) != digest
    ]


def file_digest(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def bring_flink(folder: Path, names: list[str]) -> None:
    """Extract Flink's jars from the source archive of its Python package, without building it."""
    sdist = folder / "sdist"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += [
        "--no-binary",
        "apache-flink-libraries",
        "-r",
        str(HERE / "requirements.txt"),
        "-d",
        str(sdist),
    ]
    run_tool(command, {"PIP_RESUME_RETRIES": "5"})
    with tarfile.open(next(sdist.glob("*.tar.gz"))) as archive:
        for member in archive:
            name = member.name.rpartition("/")[2]
            content = archive.extractfile(member) if "/deps/lib/" in member.name and name in names else None
            if content is not None:
                with (folder / "flink" / name).open("wb") as out:
                    shutil.copyfileobj(content, out)
    shutil.rmtree(sdist)


def bring_beam(folder: Path, _names: list[str]) -> None:
    """Download Beam's job server and its runtime dependencies from the configured Maven repository."""
    maven = shutil.which("mvn")
    if maven is None:
        raise ClusterError("fetch: Maven is not on the PATH; install it (Debian: apt-get install maven)")
    command = [maven, "--batch-mode", "--quiet", "--strict-checksums", "-f", str(HERE / "pom.xml")]
    command += [MAVEN_PLUGIN, "-DincludeScope=runtime", f"-DoutputDirectory={folder / 'beam'}"]
    run_tool(command, {})


def run_tool(command: list[str], extra_environment: Mapping[str, str]) -> None:
    """Run a tool that downloads; ClusterError with the end of its output when it fails."""
    done = subprocess.run(  # noqa: S603
        command, env={**os.environ, **extra_environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise ClusterError(
            f"fetch: {Path(command[0]).name} ended with {done.returncode}; run fetch again\n{tail}"
        )


def say(line: str) -> None:
    """Print a line and flush, since the next step may take a while."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
