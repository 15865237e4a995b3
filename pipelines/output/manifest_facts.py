"""What the manifest of an output folder says, as the objects that judge it."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from tacenda.transforms.language.coverage import ERROR, LanguageSettings, language_statistics
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.rejection import Stage


def totals_of(manifest: Mapping[str, Any]) -> Totals:
    """The sums of a run from its manifest."""
    rows = {f"rows_{name}": count for name, count in manifest["rows"].items()}
    told = {**manifest["totals"], **rows}
    return Totals(**{column.name: told[column.name] for column in fields(Totals) if column.name in told})


def readers_of(manifest: Mapping[str, Any], totals: Totals) -> dict[str, int]:
    """Number of conversations by reader; those without a name count for the reader given for the run."""
    if "review" in manifest:
        return dict(manifest["review"]["readers"])
    readers = dict(totals.readers)
    if (name := manifest["run"]["reviewer"]) and "" in readers:
        readers[name] = readers.get(name, 0) + readers.pop("")
    return readers


def language_settings(manifest: Mapping[str, Any]) -> LanguageSettings:
    """The language settings of a run."""
    told = manifest["config"]["languages"]
    return LanguageSettings(frozenset(told["covered"]), told["accepted"], told["uncovered"])


def languages_summary(manifest: Mapping[str, Any], totals: Totals) -> dict[str, Any]:
    """The languages of a run, as in statistics.json."""
    return language_statistics(
        totals.languages, language_settings(manifest), quarantined_for_language(totals)
    )


def quarantined_for_language(totals: Totals) -> int:
    """The rows that went to quarantine for their language."""
    return totals.quarantined.get(f"{Stage.DETECT.value}/{ERROR}", 0)
