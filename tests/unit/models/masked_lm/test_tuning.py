import json
from pathlib import Path

import pytest

from tacenda.models.masked_lm.tuning import main, tuned
from tacenda.transforms.schema.errors import UserError

TEXT = "my name is pamela"


def _turn(text: str, *spans: tuple[int, int, str]) -> dict[str, object]:
    return {"text": text, "spans": [{"start": s, "end": e, "label": label} for s, e, label in spans]}


def test_the_threshold_parts_the_name_from_the_other_words(folder: Path) -> None:
    [found] = tuned(str(folder), [[_turn(TEXT, (11, 17, "PERSON_NAME"))]]).values()
    assert found.threshold.f1 == 1.0
    assert found.words == 4
    # Above P(pamela) = 0.0002, up to the least probable other word.
    assert -8.52 < found.threshold.log_score <= 0


def test_words_of_spans_that_do_not_count_are_not_judged(folder: Path) -> None:
    [found] = tuned(str(folder), [[_turn(TEXT, (11, 17, "PERSON_NAME"), (3, 7, "MISC"))]]).values()
    assert found.words == 3


def test_a_language_without_annotated_words_has_no_threshold(folder: Path) -> None:
    assert tuned(str(folder), [[_turn(TEXT)]]) == {}


def test_another_kind_of_model_is_refused() -> None:
    tiny = Path(__file__).parents[3] / "golden" / "tiny_model"
    with pytest.raises(UserError, match="is no masked language model"):
        tuned(str(tiny), [])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{folder}"], "the following arguments are required: GOLD"),
        (["{folder}/no", "{folder}/gold.jsonl"], "/no: "),
        (["{folder}", "{folder}/no.jsonl"], "/no.jsonl: "),
    ],
)
def test_mistakes_are_told_without_a_traceback(
    words: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "gold.jsonl").touch()
    with pytest.raises(SystemExit) as left:
        main([word.format(folder=folder) for word in words])
    assert left.value.code == 2
    *_, line = capsys.readouterr().err.splitlines()
    assert line.startswith("python -m tacenda.models.masked_lm.tuning: ")
    assert told in line


def test_thresholds_are_printed_as_the_config_takes_them(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(json.dumps({"id": "1", "turns": [_turn(TEXT, (11, 17, "PERSON_NAME"))]}))
    main([str(folder), str(gold)])
    [line] = capsys.readouterr().out.splitlines()
    assert line.endswith("# F1 1.000 over 4 words")
    assert 0.0002 < float(line.partition(": ")[2].partition(" ")[0]) <= 1
