"""Turn a config document into validated settings; every error is reported before the run starts."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.job_settings import RiskSettings
from tacenda.pipelines.config.look_for import inspect_section
from tacenda.pipelines.config.replacement import replacement_notes
from tacenda.pipelines.config.schema import check_section
from tacenda.transforms.detecting.inspect_config import parse_inspect_config, unheeded
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.population import Marginals
from tacenda.transforms.scoring.score_table import ScoreTable


def inspect_settings(document: ConfigDocument) -> InspectSettings:
    """Parse the ``inspect`` section, a DLP InspectConfig."""
    section = inspect_section(document)
    try:
        return parse_inspect_config(section)
    except UserError as error:
        raise document.located(error) from None


def risk_settings(document: ConfigDocument, preset: str | None) -> RiskSettings:
    """Parse the sections ``risk`` and ``release``; ``preset`` from the command line overrides the file's."""
    given: dict[str, Any] = {}
    for name in ("risk", "release"):
        check_section(document, name)
        given.update((key, value) for key, value in document.section(name).items() if value is not None)
    settings = RiskSettings(**{**given, **({"preset": preset} if preset else {})})
    try:
        _refuse_unscored_shares(settings.marginals(), score_table(settings))
    except UserError as error:
        if preset and str(error).startswith("risk.preset: "):
            raise UserError(f"--risk-preset: {str(error).removeprefix('risk.preset: ')}") from None
        raise document.located(error) from None
    return settings


def _refuse_unscored_shares(marginals: Marginals | None, table: ScoreTable) -> None:
    """Reject infoTypes under which nothing is scored: their values would never be found."""
    scored = {row.google_tag for row in table.rows.values() if row.score}
    if lost := [name for name in (marginals.shares if marginals else ()) if name not in scored]:
        raise UserError(
            f"risk.population.shares: nothing is scored as {', '.join(lost)}; known here: "
            f"{', '.join(sorted(scored))}"
        )


def score_table(risk: RiskSettings) -> ScoreTable:
    """The score table of the settings."""
    return ScoreTable.load(risk.preset, risk.overrides, risk.labels)


def refuse_unsupported(document: ConfigDocument) -> list[str]:
    """Reject settings that this version does not support; they are never ignored silently.

    Returns one line for each harmless setting without effect.
    """
    return [*unheeded(document.section("inspect")), *replacement_notes(document)]


def refuse_unscored(document: ConfigDocument, inspect: InspectSettings, table: ScoreTable) -> None:
    """Reject infoTypes that are neither in the score table nor declared as unscored.

    Otherwise every conversation in which the second look finds one would be quarantined.
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
    """The config with defaults filled in, as used for the run's hash and report."""
    section: Mapping[str, Any] = inspect_section(document)
    return {
        "inspect": {
            **section,
            "info_types": [{"name": name} for name in inspect.info_types],
            "min_likelihood": inspect.min_likelihood.name,
        },
        "risk": asdict(risk),
    }
