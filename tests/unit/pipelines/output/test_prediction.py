from typing import Any

import pytest

from tacenda.pipelines.output.prediction import prediction
from tacenda.transforms.language.tables import NONE
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.scoring.expected import Expected
from tacenda.transforms.scoring.predicted import expected_counts

RISK = {"threshold": 5, "preset": "appendix", "overrides": {}, "labels": {}}
EXPECTED = expected_counts("calls", [Expected((900_000, 0, 0, 100_000), 20_000)] * 50)


def _manifest(command: str = "anonymize") -> dict[str, Any]:
    return {
        "command": command,
        "config": {"risk": RISK, "detectors": {"languages": {"model": ["en", "sv"]}}},
    }


def _totals(**more: Any) -> Totals:
    told = {
        "annotations": {"none": 50},
        "expected": EXPECTED,
        "languages": {"turns/en": 95, f"turns/{NONE}": 7},
    }
    return Totals(**{**told, **more})


def _told(totals: Totals) -> dict[str, Any]:
    told = prediction(_manifest(), totals)
    assert told is not None
    assert told["source"] == "estimate"
    return told


def test_figures_by_context_and_in_total() -> None:
    told = _told(_totals())
    assert told["contexts"]["calls"] == told["total"]
    low, high = told["total"]["mean_interval_95"]
    assert low < told["total"]["mean"] < high
    assert told["total"]["count"] == 50


def test_there_is_no_estimate_without_calibrated_detectors() -> None:
    told = _told(_totals(expected={}))
    assert "calibrated" in told["refused"]
    assert "total" not in told


@pytest.mark.parametrize(("other", "refused"), [(5, False), (6, True)])
def test_there_is_no_estimate_for_languages_that_the_network_does_not_cover(
    other: int, refused: bool
) -> None:
    told = _told(_totals(languages={"turns/en": 95, "turns/tr": other, "conversations/tr": 90}))
    assert ("refused" in told) == refused
    if refused:
        assert "6 of 101 turns" in told["refused"]


def test_a_claim_that_the_network_covers_a_language_gives_no_estimate() -> None:
    manifest = _manifest()
    manifest["config"]["detectors"] = {
        "languages": {"model": ["en", "tr"]},
        "models": [{"languages": ["en", "tr"], "claimed": ["tr"]}],
    }
    told = prediction(manifest, _totals(languages={"turns/en": 94, "turns/tr": 6}))
    assert told is not None
    assert "refused" in told


@pytest.mark.parametrize("annotations", [{"gold": 50}, {"human": 3, "gold": 47}, {}])
def test_nothing_is_estimated_where_annotations_decide(annotations: dict[str, int]) -> None:
    assert prediction(_manifest(), _totals(annotations=annotations)) is None


def test_reviewed_conversations_alone_have_no_second_look() -> None:
    assert prediction(_manifest("score"), _totals()) is None
