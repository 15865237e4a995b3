from pathlib import Path

import pytest

from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.pipelines.work.leasing import check_held, leased, refuse_held
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.lease import LeaseLostError


@pytest.fixture
def job(prepared, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"conversation_id": "a", "turns": []}\n')
    return prepared("inspect", source)[1]


def _end(job, error, *, ends_with_driver):
    with leased(job, ends_with_driver=ends_with_driver) as held:
        prepare_output(held, overwrite=False)
        check_held(held)
        raise error


def test_one_run_at_a_time(job):
    with leased(job, ends_with_driver=True):
        for ask in (lambda: refuse_held(job), lambda: leased(job, ends_with_driver=True).__enter__()):
            with pytest.raises(
                UserError, match=rf"^--output {job.output}: another run writes there \(inspect, run "
            ):
                ask()
    assert not (Path(job.output) / ".tacenda").exists()
    refuse_held(job)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RuntimeError(), RunFailedError("cancelled")])
def test_a_finished_run_holds_no_lease(job, error):
    with pytest.raises(type(error)):
        _end(job, error, ends_with_driver=True)
    refuse_held(job)
    assert [path.name for path in (Path(job.output) / ".tacenda").iterdir()] != []


@pytest.mark.parametrize("error", [KeyboardInterrupt(), RunFailedError("gone", goes_on=True)])
def test_a_job_that_goes_on_without_its_driver_keeps_its_output(job, error):
    with pytest.raises(type(error)):
        _end(job, error, ends_with_driver=False)
    with pytest.raises(UserError, match="another run writes there"):
        refuse_held(job)


def test_a_job_that_was_not_accepted_leaves_nothing(job):
    with pytest.raises(RunFailedError):
        _end(job, RunFailedError("refused", began=False), ends_with_driver=False)
    assert list(Path(job.output).iterdir()) == []


def test_overwriting_keeps_the_lease_of_the_run_that_does_it(job):
    with leased(job, ends_with_driver=True) as held:
        prepare_output(held, overwrite=True)
        check_held(held)
        (Path(job.output) / ".tacenda" / "lease.json").unlink()
        with pytest.raises(LeaseLostError):
            check_held(held)
