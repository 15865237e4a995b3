"""The risk that a run's calibrated second look predicts, for statistics and report; or why there is none.

It rests on the manifest alone, so that it can be recomputed from the folder (``tacenda verify``).
"""

from collections.abc import Mapping
from typing import Any

from tacenda.pipelines.chain.detectors import MODEL
from tacenda.transforms.auditing.calibration import calibration
from tacenda.transforms.language.coverage import TURNS
from tacenda.transforms.language.tables import NONE
from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.scoring.predicted import predicted
from tacenda.transforms.scoring.score_table import ScoreTable

LARGEST_UNCOVERED = 0.05
"""Share of turns in languages that the network does not cover, from which on nothing is predicted."""


def prediction(manifest: Mapping[str, Any], totals: Totals) -> dict[str, Any] | None:
    """The estimates by context and in total, or ``refused`` with the reason; None without a second look."""
    if manifest["command"] != "anonymize" or not _looked_again(totals):
        return None
    refused = _refused(manifest, totals)
    if refused is not None:
        return {"source": "estimate", "refused": refused}
    risk = manifest["config"]["risk"]
    of = calibration()
    table = ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])
    figures = predicted(totals.expected, of.spread, of.dependence, table, risk["threshold"])
    return {"source": "estimate", **figures}


def _looked_again(totals: Totals) -> bool:
    """Whether any conversation has no annotations that decide alone."""
    return any(count and not Annotation(who).is_whole for who, count in totals.annotations.items())


def _refused(manifest: Mapping[str, Any], totals: Totals) -> str | None:
    if not totals.expected:
        return (
            "no conversation was looked at by detectors for which suspicions are calibrated: rules and the "
            "embedded network with its own thresholds, with or without lists"
        )
    detectors = manifest["config"]["detectors"]
    claimed = {code for model in detectors.get("models", ()) for code in model.get("claimed", ())}
    covered = set(detectors["languages"].get(MODEL, ())) - claimed
    turns = {
        language: count
        for what, _, language, count in (
            (*key.partition("/"), count) for key, count in totals.languages.items()
        )
        if what == TURNS and language != NONE
    }
    uncovered = sum(count for language, count in turns.items() if language not in covered)
    if uncovered > LARGEST_UNCOVERED * sum(turns.values()):
        return (
            f"{uncovered:,} of {sum(turns.values()):,} turns are in languages that the network does not cover, "
            "so suspicions say little of them"
        )
    return None
