import pickle
from pathlib import Path
from typing import Any

import pytest

from tacenda.models.masked_lm.detector import MaskedLmDetector
from tacenda.models.token_classifier import loading
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.models import model_settings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn


def _detector(folder: Path, **entry: Any) -> MaskedLmDetector:
    document = ConfigDocument("test", {"models": [{"path": str(folder), **entry}]})
    [model] = model_settings(document)
    return MaskedLmDetector(parse_inspect_config({}), model)


def _found(detector: MaskedLmDetector, *texts: str, first: tuple[int, ...] | None = None) -> list[list[str]]:
    column = TextColumn(texts, first or (0, len(texts)))
    return [
        [text[f.start : f.end] for f in cell] for text, cell in zip(texts, detector.find(column), strict=True)
    ]


# P(pam | is) * P(ela | pam) = 0.001 * 0.2 = 0.0002
@pytest.mark.parametrize(("threshold", "found"), [(0.00021, ["Pamela"]), (0.00019, [])])
def test_a_word_counts_below_the_threshold(folder: Path, threshold: float, found: list[str]) -> None:
    detector = _detector(folder, decision={"rule": "binary", "threshold": threshold})
    assert _found(detector, "my name is Pamela")[0][-1:] == found


def test_findings_have_the_infotype_of_the_decision(folder: Path) -> None:
    detector = _detector(folder, decision={"rule": "binary", "threshold": 0.01, "info_type": "PERSON_NAME"})
    [cell] = detector.find(TextColumn(["my name is Pamela"]))
    assert [(f.start, f.end, f.info_type) for f in cell] == [(11, 17, "PERSON_NAME")]


def test_a_language_may_have_its_own_threshold(folder: Path) -> None:
    text = "my name is Pamela and this is what we have been waiting for"
    decision = {"rule": "binary", "threshold": 0.01, "by_language": {"en": 0.0}}
    assert _found(_detector(folder, decision=decision), text) == [[]]
    decision["by_language"] = {"fi": 0.0}
    assert "Pamela" in _found(_detector(folder, decision=decision), text)[0]


def test_a_conversation_has_the_same_findings_in_any_batch(folder: Path) -> None:
    detector = _detector(folder, decision={"rule": "binary", "threshold": 0.05})
    texts = ("my name is Pamela", "is Pamela from my name", "", "name")
    together = _found(detector, *texts, first=(0, 2, 3, 4))
    alone = [*_found(detector, *texts[:2]), *_found(detector, ""), *_found(detector, "name")]
    assert together == alone


def test_replacement_tokens_are_never_part_of_a_finding(folder: Path) -> None:
    detector = _detector(folder, decision={"rule": "binary", "threshold": 1.0})
    assert _found(detector, "my [PERSON_NAME_1] name") == [["my", "name"]]


def test_it_travels_as_its_settings(folder: Path) -> None:
    detector = _detector(folder)
    again = pickle.loads(pickle.dumps(detector))
    assert _found(again, "my name is Pamela") == _found(detector, "my name is Pamela")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"decision": {"rule": "sum", "threshold": 0.2}}, "set 'rule: binary'"),
        ({"places": 64}, "takes no 'places'"),
        ({"skipping": False}, "takes no 'skipping'"),
    ],
)
def test_settings_that_do_not_apply_are_refused(folder: Path, entry: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        _detector(folder, **entry)


def test_a_changed_model_is_refused(folder: Path) -> None:
    detector = _detector(folder)
    config = folder / "config.json"
    config.write_text(config.read_text().replace("32", "64"))
    loading._read.forget()
    with pytest.raises(UserError, match="has changed"):
        pickle.loads(pickle.dumps(detector))
