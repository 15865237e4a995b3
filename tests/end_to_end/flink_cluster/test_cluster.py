"""The cluster itself: it computes, twice in a row, retries a failed attempt, and has real workers."""

import os

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.runner import PipelineState

from tests.waiting import PATIENCE_S

pytestmark = [pytest.mark.flink, pytest.mark.slow]
TIMEOUT_MS = int(PATIENCE_S * 1000)


def run(pipeline):
    """Run to the end, or cancel after TIMEOUT_MS; returns the state."""
    result = pipeline.run()
    state = result.wait_until_finish(duration=TIMEOUT_MS)
    if not PipelineState.is_terminal(state):
        result.cancel()
    return state


# Steps are local functions: they travel by value. A worker cannot import this module.


@pytest.mark.parametrize("attempt", [1, 2])
def test_a_second_job_runs_like_the_first(flink_options, tmp_path, attempt):
    def write(total, path):
        with open(path, "w") as out:
            out.write(f"{total} {os.getpid()}")

    pipeline = beam.Pipeline(options=PipelineOptions(flink_options))
    _ = (
        pipeline
        | "Numbers" >> beam.Create(range(1000))
        | "Spread" >> beam.Reshuffle()
        | "Square" >> beam.Map(lambda number: number * number)
        | "Sum" >> beam.CombineGlobally(sum)
        | "Write" >> beam.Map(write, str(tmp_path / "total"))
    )

    assert run(pipeline) == PipelineState.DONE
    total, worker = (tmp_path / "total").read_text().split()
    assert int(total) == 332_833_500
    assert int(worker) != os.getpid()


@pytest.mark.parametrize("fault", ["raises", "dies"])
def test_a_failed_attempt_is_tried_again_and_repeats_its_side_effects(flink_options, tmp_path, fault):
    def fail_once(number, folder):
        attempts = len([name for name in os.listdir(folder) if name.startswith(f"{number}-")])
        with open(f"{folder}/{number}-{attempts}", "w"):
            pass
        if number == 7 and attempts == 0:
            if fault == "dies":
                os._exit(1)
            raise RuntimeError("the first attempt fails")
        return number

    def write(total, folder):
        with open(f"{folder}/total", "w") as out:
            out.write(str(total))

    pipeline = beam.Pipeline(options=PipelineOptions(flink_options))
    _ = (
        pipeline
        | "Numbers" >> beam.Create(range(10))
        | "Spread" >> beam.Reshuffle()
        | "FailOnce" >> beam.Map(fail_once, str(tmp_path))
        | "Sum" >> beam.CombineGlobally(sum)
        | "Write" >> beam.Map(write, str(tmp_path))
    )

    assert run(pipeline) == PipelineState.DONE
    assert (tmp_path / "total").read_text() == "45"
    assert (tmp_path / "7-1").exists()


def test_workers_start_in_an_empty_folder(flink_options, tmp_path):
    """Import names such as `models` are generic: a folder of the submitter must not be picked up instead."""

    def write(_, path):
        with open(path, "w") as out:
            out.write(os.getcwd())

    pipeline = beam.Pipeline(options=PipelineOptions(flink_options))
    _ = pipeline | "Once" >> beam.Create([None]) | "Write" >> beam.Map(write, str(tmp_path / "folder"))

    assert run(pipeline) == PipelineState.DONE
    folder = (tmp_path / "folder").read_text()
    assert folder != os.getcwd()
    assert os.listdir(folder) == []
