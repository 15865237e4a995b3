import json
import socket
import sys
from pathlib import Path

import pytest

from tacenda.pipelines.executors.runners import (
    check_reachable,
    check_runner,
    completed,
    direct_workers,
    ends_with_driver,
    leaves_job,
    runner_name,
)
from tacenda.transforms.schema.errors import UserError
from tests.fakes.web_server import answering


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "FnApiRunner"),
        (["--runner=FlinkRunner"], "FlinkRunner"),
        (["--runner", "DirectRunner"], "DirectRunner"),
        (["--runner=Flink"], "FlinkRunner"),
        (["--runner=apache_beam.runners.portability.flink_runner.FlinkRunner"], "FlinkRunner"),
        (["--runner=my.own.CoolRunner"], "my.own.CoolRunner"),
    ],
)
def test_the_runner_is_the_one_that_options_name(options: list[str], name: str) -> None:
    assert runner_name(options) == name


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--runner=FlnkRunner", "no such runner"),
        ("--runner=DaskRunner", "loses the rows"),
        ("--runner=InteractiveRunner", "is for notebooks"),
        ("--runner=no.such.Runner", "cannot be imported"),
        ("--runner=socket.NoRunner", "cannot be imported"),
    ],
)
def test_an_unknown_runner_or_one_that_loses_rows_is_rejected(option: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        check_runner([option])


def test_beams_own_workers_option_counts() -> None:
    assert direct_workers([]) is None
    assert direct_workers(["--direct_num_workers=0"]) is None
    assert direct_workers(["--direct_num_workers=1"]) == 1
    assert direct_workers(["--direct_num_workers", "3"]) == 3


@pytest.fixture
def nobody() -> str:
    """An address without a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_a_job_service_that_does_not_answer_is_named(nobody: str) -> None:
    with pytest.raises(UserError, match="nothing listens there"):
        check_runner(["--runner=PortableRunner", f"--job_endpoint={nobody}"])
    check_runner(["--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"])


@pytest.mark.parametrize("master", ["{}", "http://{}", "http://{}/", "localhost:99999999", "gopher://x"])
def test_a_flink_that_does_not_answer_is_named(nobody: str, master: str) -> None:
    with pytest.raises(UserError, match=r"--flink_master=.*nothing listens there"):
        check_runner(["--runner=FlinkRunner", f"--flink_master={master.format(nobody)}"])


def test_a_flink_that_answers_is_asked_how_many_slots_it_has(jar: list[str]) -> None:
    answer = json.dumps({"taskmanagers": [{"slotsNumber": 2}, {"slotsNumber": 4}]})
    with answering(answer) as address:
        options = [*jar, "--runner=FlinkRunner", f"--flink_master={address}", *POOL]
        assert check_runner(options) == ["--spark_job_server_jar does nothing on FlinkRunner"]
        assert completed(options) == [*options, "--sdk_worker_parallelism=4"]
        own = [*options, "--sdk_worker_parallelism", "1"]
        assert completed(own) == own
    assert completed(["--runner=FlinkRunner"])[-1] == "--sdk_worker_parallelism=0"


@pytest.mark.parametrize("answer", ["", "[]", "{}", '{"taskmanagers": []}', '{"taskmanagers": [{}]}'])
def test_where_flink_does_not_say_its_slots_the_runner_chooses(answer: str) -> None:
    with answering(answer) as address:
        options = ["--runner=FlinkRunner", f"--flink_master=http://{address}/"]
        assert completed(options)[-1] == "--sdk_worker_parallelism=0"


def test_options_of_one_runner_are_not_set_on_others() -> None:
    assert completed([]) == []


def test_dataflow_gets_two_threads_a_process_and_no_main_session() -> None:
    added = ["--number_of_worker_harness_threads=2", "--no_save_main_session"]
    assert completed(["--runner=DataflowRunner"]) == ["--runner=DataflowRunner", *added]
    own = ["--runner=DataflowRunner", "--number_of_worker_harness_threads=8", "--save_main_session"]
    assert completed(own) == own


def test_dataflow_reads_and_writes_where_its_workers_do() -> None:
    options = ["--runner=DataflowRunner"]
    check_reachable(options, [("--input", "gs://bucket/calls"), ("--output", "s3://bucket/clean")])
    for url in ("/data/calls", "file:///data/calls"):
        check_reachable(["--runner=FlinkRunner"], [("--input", url)])
        with pytest.raises(UserError, match=f"--input {url}: workers of Dataflow do not see"):
            check_reachable(options, [("--input", url)])


def test_only_a_job_of_a_service_is_left_to_it() -> None:
    assert leaves_job(["--runner=DataflowRunner", "--no_wait_until_finish"])
    assert not leaves_job(["--runner=DataflowRunner"])
    assert not leaves_job(["--runner=FlinkRunner", "--no_wait_until_finish"])


POOL = ["--environment_type=EXTERNAL", "--environment_config=localhost:50000"]


@pytest.fixture
def jar(tmp_path: Path) -> list[str]:
    """An existing jar, and a Java."""
    (tmp_path / "server.jar").touch()
    launcher = f"--job_server_java_launcher={sys.executable}"
    return [f"--{name}_job_server_jar={tmp_path / 'server.jar'}" for name in ("flink", "spark")] + [launcher]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--runner=PortableRunner", r"needs --job_endpoint=HOST:PORT"),
        ("--runner=PortableRunner --job_endpoint=embed", "container image lacks this package"),
        ("--runner=PortableRunner --job_endpoint=embed --environment_type=FOO", "unknown; use one of DOCKER"),
        (
            "--runner=PortableRunner --job_endpoint=embed --environment_type=PROCESS",
            "process_command is required",
        ),
        (
            "--runner=PortableRunner --job_endpoint=embed --environment_type=PROCESS --environment_config={{",
            r"not what --environment_type=PROCESS needs \(JSONDecodeError\)",
        ),
        (
            "--runner=DataflowRunner",
            "needs --project=ID, --region=NAME, --temp_location=gs://BUCKET/FOLDER, --sdk_container_image=",
        ),
        (
            "--runner=DataflowRunner --project=my-own --region=r --temp_location=/tmp --extra_package={jar}",
            r"DataflowRunner: needs --temp_location=gs://BUCKET/FOLDER$",
        ),
        (
            "--runner=FlinkRunner --flink_job_server_jar=nope.jar",
            "jar of its job server cannot be downloaded",
        ),
        (
            "--runner=FlinkRunner --flink_job_server_jar=http://{nobody}/x.jar",
            "name it with --flink_job_server_jar",
        ),
        (
            "--runner=SparkRunner --spark_job_server_jar=http://{nobody}/x.jar",
            "name it with --spark_job_server_jar",
        ),
        ("--runner=SparkRunner --job_server_java_launcher=no-java", "needs Java"),
        ("--runner=SparkRunner --spark_submit_uber_jar", "needs --spark_rest_url"),
        ("--runner=PrismRunner --prism_location=.", "not an executable program"),
        ("--runner=PrismRunner --prism_location=http://{nobody}/prism", "cannot be downloaded"),
        ("--setup_file=./nope.py", "--setup_file=./nope.py: no such file"),
        ("--extra_package=nope.whl --runner=PrismRunner", "--extra_package=nope.whl: no such file"),
        ("--resource_hint=foo", r"Apache Beam rejects its options \(ValueError\)"),
        ("--runner=os.path.join", "is not a Beam runner"),
        ("--streaming", "reads files, once"),
    ],
)
def test_missing_requirements_of_a_runner_are_named(nobody: str, words: str, told: str) -> None:
    launcher = f"--job_server_java_launcher={sys.executable}"  # the last one counts
    with pytest.raises(UserError, match=told):
        check_runner([launcher, *words.format(nobody=nobody, jar=__file__).split()])


def test_given_requirements_of_a_runner_are_accepted(jar: list[str], tmp_path: Path) -> None:
    for runner in ("FlinkRunner", "SparkRunner"):
        check_runner([f"--runner={runner}", *jar])
    check_runner(["--runner=PrismRunner", f"--prism_location={sys.executable}"])


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        ("", True),
        ("--runner=DirectRunner", True),
        ("--runner=PrismRunner", True),
        ("--runner=PrismRunner --job_endpoint=localhost:1", False),
        ("--runner=PortableRunner --job_endpoint=embed", True),
        ("--runner=PortableRunner --job_endpoint=localhost:1", False),
        ("--runner=FlinkRunner", True),
        ("--runner=FlinkRunner --flink_master=localhost:1", False),
        ("--runner=SparkRunner", True),
        ("--runner=SparkRunner --spark_master_url=spark://localhost:1", False),
        ("--runner=DataflowRunner", False),
    ],
)
def test_a_job_of_this_machine_ends_with_its_driver(words: str, ends: bool) -> None:
    assert ends_with_driver(words.split()) is ends


def test_an_option_without_effect_is_reported() -> None:
    assert check_runner(["--num_workers=4"]) == ["--num_workers does nothing on FnApiRunner; use --workers"]
