"""From a config document to checked settings; every mistake is reported before anything starts."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.replacement import replacement_notes
from tacenda.pipelines.config.schema import check_section
from tacenda.pipelines.settings import RiskSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config, unheeded
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable


def inspect_settings(document: ConfigDocument) -> InspectSettings:
    """The ``inspect`` section: a DLP InspectConfig."""
    section = document.section("inspect")
    try:
        return parse_inspect_config(section)
    except UserError as error:
        raise document.located(error) from None


def risk_settings(document: ConfigDocument, preset: str | None) -> RiskSettings:
    """The ``risk`` section; ``preset`` from the command line wins over the file's."""
    check_section(document, "risk")
    given = {key: value for key, value in document.section("risk").items() if value is not None}
    settings = RiskSettings(**{**given, **({"preset": preset} if preset else {})})
    try:
        score_table(settings)
    except UserError as error:
        if preset and str(error).startswith("risk.preset: "):
            raise UserError(f"--risk-preset: {str(error).removeprefix('risk.preset: ')}") from None
        raise document.located(error) from None
    return settings


def score_table(risk: RiskSettings) -> ScoreTable:
    """The score table that the settings ask for."""
    return ScoreTable.load(risk.preset, risk.overrides, risk.labels)


def refuse_unsupported(document: ConfigDocument) -> list[str]:
    """Refuse by name what the config asks for and this version does not do; never ignore it.

    Returns one line for each setting that has no effect and does no harm.
    """
    return [*unheeded(document.section("inspect")), *replacement_notes(document)]


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
        "risk": asdict(risk),
    }
