"""Turn a config document into validated settings; every error is reported before the run starts."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import asdict, replace
from typing import Any, cast

from tacenda.pipelines.config.document import ConfigDocument, check_section
from tacenda.pipelines.config.job_settings import RiskSettings
from tacenda.pipelines.config.look_for import inspect_section, own_functions, section_key
from tacenda.pipelines.config.replacement import replacement_notes
from tacenda.transforms.detecting.inspect_config import parse_inspect_config, unheeded
from tacenda.transforms.detecting.names import INFO_TYPES as NAMES
from tacenda.transforms.detecting.settings import Exclusion, Function, InspectSettings, Matching
from tacenda.transforms.language.coverage import LanguageSettings, Uncovered, canonical, known_codes
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable


def reject_unsupported_exclusions(
    document: ConfigDocument, settings: InspectSettings, finding: Mapping[str, Set[str]]
) -> None:
    """Reject an exclusion by an infoType that detectors other than the rules find.

    Every detector knows the findings of the rules, but not those of other detectors. An inverse match would
    therefore drop findings inside what another detector found, leaving personal data readable. Exclusions by
    names are rejected for every matching type, since the rules find few names.

    Args:
        document: the config, for the position of the exclusion.
        settings: the same config as settings.
        finding: infoTypes that each detector finds by means other than rules.

    Raises:
        UserError: an exclusion refers to such an infoType.
    """
    for i, rule_set in enumerate(settings.rule_sets):
        for k, rule in enumerate(rule_set.rules):
            for name in _in_question(rule):
                by = [detector for detector, known in finding.items() if name in known]
                if by:
                    place = f"inspect.rule_set[{i}].rules[{k}].exclusion_rule.exclude_info_types"
                    raise document.error(
                        place,
                        f"only {' and '.join(by)} can find {name}; other detectors cannot exclude by it; "
                        "use one --detector, or drop it",
                    )


def _in_question(rule: object) -> tuple[str, ...]:
    """The infoTypes of an exclusion for which all findings must be known."""
    if not isinstance(rule, Exclusion):
        return ()
    inverse = rule.matching is Matching.INVERSE
    return tuple(name for name in rule.info_types if inverse or name in NAMES)


def language_settings(document: ConfigDocument, covered: Collection[str]) -> LanguageSettings:
    """Parse the section; ``covered`` are the languages of the active detectors.

    Raises:
        UserError: a setting is invalid, or a language is accepted without a reason.
    """
    check_section(document, "languages")
    section = document.section("languages")
    uncovered = section.get("uncovered") or "quarantine"
    accepted = section.get("accepted") or {}
    reasons: dict[str, str] = {}
    for code, reason in accepted.items():
        place = f"languages.accepted.{code}"
        (known,) = checked_codes(document, place, [code])
        reasons[known] = reason
    return LanguageSettings(frozenset(covered), reasons, cast(Uncovered, uncovered))


def checked_codes(document: ConfigDocument, place: str, codes: Sequence[Any]) -> tuple[str, ...]:
    """Canonical codes of languages.

    Raises:
        UserError: a code is unknown.
    """
    known = known_codes()
    found = tuple(canonical(code) if isinstance(code, str) else "" for code in codes)
    if not set(found) <= known:
        raise document.error(
            place,
            "has a language that cannot be recognised (a YAML 'no' needs quotes); known here: "
            f"{', '.join(sorted(known))}",
        )
    return found


def inspect_settings(document: ConfigDocument) -> InspectSettings:
    """Parse the ``inspect`` section, a DLP InspectConfig, and the functions of ``look_for``."""
    section = inspect_section(document)
    own = own_functions(document)
    customs = section_key(section, "custom_info_types")
    if own and isinstance(section.get(customs) or [], list):
        # Known to the rules of the section like any custom infoType.
        known = [{"info_type": {"name": name}, "surrogate_type": {}} for name in own]
        section = {**section, customs: [*(section.get(customs) or ()), *known]}
    try:
        settings = parse_inspect_config(section)
    except UserError as error:
        raise document.located(error) from None
    if not own:
        return settings
    first = len(settings.custom) - len(own)
    found = (replace(one, source=own[one.info_type]) for one in settings.custom[first:])
    return replace(settings, custom=(*settings.custom[:first], *found))


def risk_settings(document: ConfigDocument, preset: str | None) -> RiskSettings:
    """Parse the sections ``risk`` and ``release``; ``preset`` from the command line overrides the file's."""
    given: dict[str, Any] = {}
    for name in ("risk", "release"):
        check_section(document, name)
        given.update((key, value) for key, value in document.section(name).items() if value is not None)
    settings = RiskSettings(**{**given, **({"preset": preset} if preset else {})})
    try:
        score_table(settings)
    except UserError as error:
        if preset and str(error).startswith("risk.preset: "):
            raise UserError(f"--risk-preset: {str(error).removeprefix('risk.preset: ')}") from None
        raise document.located(error) from None
    return settings


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
    functions = {c.info_type: asdict(c.source) for c in inspect.custom if isinstance(c.source, Function)}
    return {
        "inspect": {
            **section,
            "info_types": [{"name": name} for name in inspect.info_types],
            "min_likelihood": inspect.min_likelihood.name,
            **({"functions": functions} if functions else {}),
        },
        "risk": asdict(risk),
    }
