"""From a config document to checked settings; every mistake is found here, before anything starts."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from tacenda.pipelines.config.deidentify import check_deidentify
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.settings import RiskSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config, unheeded
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.releasing.verdict import CriterionName, ReleaseOn
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable

_SCORING_KEYS = ("preset", "overrides", "labels", "variant_clustering")
_GATE_KEYS = (
    "threshold", "criterion", "release_on", "least_conversations", "largest_quarantined_share", "because",
)  # fmt: skip


def inspect_settings(document: ConfigDocument) -> InspectSettings:
    """The ``inspect`` section: a DLP InspectConfig."""
    section = document.section("inspect")
    try:
        return parse_inspect_config(section)
    except UserError as error:
        raise document.located(error) from None


def risk_settings(document: ConfigDocument, preset: str | None) -> RiskSettings:
    """The ``risk`` section; ``preset`` from the command line wins over the file's."""
    section = document.section("risk")
    document.refuse_unknown("risk", section, (*_SCORING_KEYS, *_GATE_KEYS))
    clustering = section.get("variant_clustering", False)
    if not isinstance(clustering, bool):
        raise document.error("risk.variant_clustering", "must be true or false")
    for key in ("overrides", "labels"):
        if not isinstance(section.get(key), (dict, type(None))):
            raise document.error(f"risk.{key}", "must be a mapping, as {NAME: value}")
    for label in section.get("labels") or ():
        if not isinstance(label, str):
            raise document.error(f"risk.labels.{label}", "the key is no text; put it in quotes")
    name = "appendix" if section.get("preset") is None else section["preset"]
    if not isinstance(name, str):
        raise document.error("risk.preset", "must be a name")
    settings = RiskSettings(
        preset=preset or name,
        overrides=dict(section.get("overrides") or {}),
        labels=dict(section.get("labels") or {}),
        variant_clustering=clustering,
        **_gate_settings(document, section),
    )
    try:
        score_table(settings)
    except UserError as error:
        if preset and str(error).startswith("risk.preset: "):
            raise UserError(f"--risk-preset: {str(error).removeprefix('risk.preset: ')}") from None
        raise document.located(error) from None
    return settings


def _gate_settings(document: ConfigDocument, section: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the settings that say what a corpus has to meet."""
    given = {key: section[key] for key in _GATE_KEYS if section.get(key) is not None}

    def check(key: str, holds: Callable[[Any], bool], must_be: str) -> None:
        if key in given and not holds(given[key]):
            raise document.error(f"risk.{key}", f"must be {must_be}")

    check(
        "threshold", lambda value: _is_number(value) and 0 < value < 1000, "a number above 0 and below 1,000"
    )
    for key, names in (("criterion", get_args(CriterionName)), ("release_on", get_args(ReleaseOn))):
        check(key, names.__contains__, " or ".join(names))
    check("least_conversations", lambda value: type(value) is int and value > 0, "a whole number above 0")
    check(
        "largest_quarantined_share",
        lambda value: _is_number(value) and 0 <= value < 1,
        "from 0 to below 1",
    )
    check("because", lambda value: isinstance(value, str) and bool(value.strip()), "a reason in words")
    return given


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def score_table(risk: RiskSettings) -> ScoreTable:
    """The score table that the settings ask for."""
    return ScoreTable.load(risk.preset, risk.overrides, risk.labels)


def refuse_unsupported(document: ConfigDocument) -> list[str]:
    """Refuse by name what the config asks for and this version does not do; never ignore it.

    Returns one line for each setting that has no effect and does no harm.
    """
    for section, what in (
        ("entities", "settings of entities are not built yet; leave the section out"),
        ("output", "settings of the output are not built yet; leave the section out"),
    ):
        if document.section(section):
            raise document.error(section, what)
    return [*unheeded(document.section("inspect")), *check_deidentify(document)]


def refuse_unscored(document: ConfigDocument, inspect: InspectSettings, table: ScoreTable) -> None:
    """Every infoType that can be found must have a place in the score table, or be unscored by decision.

    Without this, the second look would find a custom infoType that nobody gave a score, and every conversation
    that holds it would go to quarantine.
    """
    names = dict.fromkeys([*inspect.info_types, *(c.info_type for c in inspect.custom if not c.excluding)])
    for name in names:
        try:
            table.resolve(name)
        except RecordError:
            raise document.error(
                "inspect.custom_info_types",
                f"infoType {name} has no score; add risk.labels: {{{name}: TAG}} with a tag of the score "
                f"table, or {{{name}: unscored}}",
            ) from None


def effective_config(
    document: ConfigDocument, inspect: InspectSettings, risk: RiskSettings
) -> dict[str, Any]:
    """The config with what was left out filled in; what a run's hash and report rest on."""
    section: Mapping[str, Any] = document.section("inspect")
    return {
        "inspect": {
            **section,
            "info_types": [{"name": name} for name in inspect.info_types],
            "min_likelihood": inspect.min_likelihood.name,
        },
        "risk": {
            "preset": risk.preset,
            "overrides": risk.overrides,
            "labels": risk.labels,
            "variant_clustering": risk.variant_clustering,
            **{key: getattr(risk, key) for key in _GATE_KEYS},
        },
    }
