"""Beam's FlinkRunner, which starts its own job server, with the options in the README."""

import signal
import zipfile

import pytest

from tests.halting import UNITS, halted_in_the_middle, tacenda
from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.flink, pytest.mark.slow]


def _job_server_jar(script, path):
    """A jar in place of Beam's job server, which refers to the cluster's jars if these are separate."""
    jars = [jar for part in ("flink", "beam") for jar in sorted((script.JARS / part).glob("*.jar"))]
    attributes = {
        "Manifest-Version": "1.0",
        "Main-Class": script.JOB_SERVER,
        "Class-Path": " ".join(jar.as_uri() for jar in jars),
        "Add-Exports": " ".join(script.JAVA_EXPORTS),
        "Add-Opens": " ".join(f"java.base/{name}" for name in script.JAVA_OPENS),
    }
    with zipfile.ZipFile(path, "w") as jar:
        lines = [line for name, value in attributes.items() for line in _manifest_lines(f"{name}: {value}")]
        jar.writestr("META-INF/MANIFEST.MF", "".join(f"{line}\r\n" for line in lines))
    return path


def _manifest_lines(attribute):
    """An attribute in lines of at most 72 bytes; continuation lines begin with a space."""
    first, rest = attribute[:70], attribute[70:]
    return [first, *(f" {rest[i : i + 69]}" for i in range(0, len(rest), 69))]


def test_every_slot_has_a_python_process(running, source, tmp_path):
    folder = tmp_path / "out"
    settings = running.settings
    command = tacenda(
        *("anonymize", "--input", source, "--output", folder, "--detector", "rules"),
        *("--unit-bytes", source.stat().st_size // UNITS),
        *("--runner=FlinkRunner", f"--flink_master=localhost:{settings.rest_port}", "--flink_version=1.19"),
        *("--environment_type=EXTERNAL", f"--environment_config=localhost:{settings.pool_port}"),
        f"--parallelism={settings.parallelism}",
        f"--flink_job_server_jar={_job_server_jar(running.script, tmp_path / 'server.jar')}",
    )
    running.wait_for_the_end_of_all_workers()
    process = halted_in_the_middle(command, folder, None, running.signal_workers)
    try:
        workers = running.workers()
        running.signal_workers(None, signal.SIGCONT)
        _, err = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    assert process.returncode == 0, err
    assert len(workers) == settings.slots == 2
