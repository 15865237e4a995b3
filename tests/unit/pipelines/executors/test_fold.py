from functools import partial
from pathlib import Path

import pytest

from tacenda.pipelines.executors.fold import run_fold
from tacenda.pipelines.work.error_sanitizing import RunFailedError, UnitFailedError
from tacenda.pipelines.work.fold import Fold
from tacenda.transforms.schema.errors import UserError

BEAM = ["--runner=FnApiRunner"]


def _square(number: int) -> int:
    return number * number


def _add(one: int, other: int) -> int:
    return one + other


def _write(total: int, file: Path) -> None:
    file.write_text(str(total))


def _fail(number: int) -> int:
    raise ValueError("a text that nobody may see")


def _die(number: int) -> int:
    import os
    import signal

    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize(("beam_args", "workers"), [([], 1), ([], 2), ([], None), (BEAM, 1)])
def test_every_executor_gives_the_same_sum(tmp_path: Path, beam_args: list[str], workers: int | None):
    file = tmp_path / "total"
    run_fold(Fold(range(5), _square, _add, partial(_write, file=file)), beam_args, workers, text_bytes=100)
    assert file.read_text() == "30"


def test_the_text_of_an_error_on_beam_is_not_reported(tmp_path: Path):
    fold = Fold([1], _fail, _add, partial(_write, file=tmp_path / "total"))
    with pytest.raises(UnitFailedError) as caught:
        run_fold(fold, BEAM, 1, text_bytes=100)
    assert "nobody" not in str(caught.value)
    assert not (tmp_path / "total").exists()


def test_input_without_records_is_rejected(tmp_path: Path):
    with pytest.raises(UserError, match="empty"):
        run_fold(Fold([], _square, _add, partial(_write, file=tmp_path / "total")), [], None, text_bytes=0)


def test_a_killed_worker_ends_the_run(tmp_path: Path):
    fold = Fold(range(2), _die, _add, partial(_write, file=tmp_path / "total"))
    with pytest.raises(RunFailedError, match="killed"):
        run_fold(fold, [], 2, text_bytes=100)
