import argparse

import pytest

from tacenda.pipelines import score
from tacenda.pipelines.anonymize import parser
from tacenda.pipelines.executors import beam_options
from tacenda.pipelines.executors.beam_options import beam_arguments, refuse_misleading, without_effect
from tacenda.transforms.schema.errors import UserError

NEEDED = ["--input", "a.jsonl", "--output", "out"]


def _parse(*more: str) -> tuple[argparse.Namespace, list[str]]:
    return parser().parse_known_args([*NEEDED, *more])


def test_beams_own_options_pass_through() -> None:
    given = ["--runner=FlinkRunner", "--parallelism", "4", "--flink_master=localhost:8081", "--streaming"]
    arguments, extra = _parse(*given)
    assert beam_arguments(arguments, extra) == given


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--inptu=x"], "--inptu; did you mean --input"),
        (["--paralelism", "4"], "did you mean --parallelism"),
        (["--zzzzqqqq"], "unknown option --zzzzqqqq"),
        (["--parallelism=4", "stray.jsonl"], "'stray.jsonl'; inputs follow --input"),
        (["--streaming", "stray.jsonl"], "'stray.jsonl'; inputs follow --input"),
        (["stray.jsonl", "--streaming"], "'stray.jsonl'; inputs follow --input"),
        (["-x"], "'-x'"),
        (["--direct_num_workers=two"], "--direct_num_workers: invalid int value: 'two'"),
        (["--direct_running_mode=x"], "--direct_running_mode: invalid choice: 'x'"),
        (["--runner"], "--runner: expected one argument"),
    ],
)
def test_unknown_options_are_a_user_error(words: list[str], told: str) -> None:
    arguments, extra = _parse(*words)
    with pytest.raises(UserError) as caught:
        beam_arguments(arguments, extra)
    assert told in str(caught.value)


def test_options_of_tacenda_are_not_passed_to_beam() -> None:
    arguments, extra = score.parser().parse_known_args([*NEEDED, "--detector", "rules"])
    with pytest.raises(UserError) as caught:
        beam_arguments(arguments, extra)
    assert str(caught.value) == "unknown option --detector"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--streaming"], "--streaming: a job reads files, once, and ends; leave it out"),
        (["--runner=DataflowRunner", "--update"], "--update: a job reads files"),
        (["--dry_run"], "--dry_run: it is spelled --dry-run"),
        (["--output_executable_path=job.jar"], "not packed"),
    ],
)
def test_what_asks_for_another_kind_of_run_is_refused(words: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        refuse_misleading(words)


@pytest.mark.parametrize(
    ("runner", "words", "hints"),
    [
        ("FnApiRunner", ["--num_workers=4"], {"--num_workers": "; use --workers"}),
        ("FnApiRunner", ["--setup_file=x", "--direct_num_workers=2"], {"--setup_file": ""}),
        ("DirectRunner", ["--parallelism", "4"], {"--parallelism": "; use --workers"}),
        ("FnApiRunner", ["--experiments=a", "--experiments=b", "--job_name=x"], {}),
        ("FlinkRunner", ["--parallelism=4", "--flink_master=x", "--environment_type=LOOPBACK"], {}),
        ("FlinkRunner", ["--num_workers=4"], {"--num_workers": ""}),
        ("DataflowRunner", ["--num_workers=4", "--project=p"], {}),
        ("PrismRunner", ["--num_workers=4", "--prism_location=x"], {"--num_workers": ""}),
        ("FlinkRunner", ["--s3_endpoint_url=x"], {"--s3_endpoint_url": "; set AWS_ENDPOINT_URL"}),
        ("my.own.CoolRunner", ["--num_workers=4"], {}),
    ],
)
def test_options_without_effect_on_a_runner_are_reported(
    runner: str, words: list[str], hints: dict[str, str]
) -> None:
    told = [f"{flag} does nothing on {runner}{hint}" for flag, hint in hints.items()]
    assert without_effect(words, runner) == told


def test_the_launcher_of_a_template_takes_the_graph_of_a_job_that_nobody_waits_for() -> None:
    template = "--template_location=gs://bucket/job"
    refuse_misleading([template, "--no_wait_until_finish"])
    with pytest.raises(UserError, match="the job is run, not packed"):
        refuse_misleading([template])


def test_the_table_names_options_and_classes_that_beam_has() -> None:
    _, known = beam_options._beam_parser()
    table = beam_options._table()
    assert set(table["classes"]) <= {option.group for option in known.values()}
    named = {*table["options"], *table["instead"], *table["refused"], *table["processes"]}
    assert named <= {option.name for option in known.values()}
