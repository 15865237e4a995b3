import socket

import pytest

from pipelines.executors.runners import check_runner, direct_workers, runner_name
from transforms.schema.errors import UserError


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "FnApiRunner"),
        (["--runner=FlinkRunner"], "FlinkRunner"),
        (["--runner", "DirectRunner"], "DirectRunner"),
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
        ("--runner=no.such.Runner", "cannot be imported"),
        ("--runner=socket.NoRunner", "cannot be imported"),
    ],
)
def test_a_runner_that_is_none_or_loses_rows_is_refused(option: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        check_runner([option])


def test_beams_own_workers_option_counts() -> None:
    assert direct_workers([]) is None
    assert direct_workers(["--direct_num_workers=0"]) is None
    assert direct_workers(["--direct_num_workers=1"]) == 1
    assert direct_workers(["--direct_num_workers", "3"]) == 3


@pytest.fixture
def nobody() -> str:
    """An address where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


def test_a_job_service_that_does_not_answer_is_named(nobody: str) -> None:
    with pytest.raises(UserError, match="nobody listens there"):
        check_runner(["--runner=PortableRunner", f"--job_endpoint={nobody}"])
    check_runner(["--runner=PortableRunner", "--job_endpoint=embed"])


@pytest.mark.parametrize("master", ["{}", "http://{}", "http://{}/", "localhost:99999999", "gopher://x"])
def test_a_flink_that_does_not_answer_is_named(nobody: str, master: str) -> None:
    with pytest.raises(UserError, match=r"--flink_master=.*nobody listens there"):
        check_runner(["--runner=FlinkRunner", f"--flink_master={master.format(nobody)}"])
    check_runner(["--runner=FlinkRunner"])
    check_runner(["--runner=FlinkRunner", "--flink_master=[local]"])


def test_a_flink_that_answers_is_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        check_runner(["--runner=FlinkRunner", f"--flink_master=127.0.0.1:{server.getsockname()[1]}"])
