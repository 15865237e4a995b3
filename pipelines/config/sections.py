"""Turn a config document into validated settings; every error is reported before the run starts."""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import asdict, replace
from typing import Any

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.job_settings import RiskSettings
from tacenda.pipelines.config.replacement import read_replacement
from tacenda.transforms.detecting.functions import pinned
from tacenda.transforms.detecting.inspect_config import parse_inspect_config, unheeded
from tacenda.transforms.detecting.names import INFO_TYPES as NAMES
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.settings import Exclusion, Function, InspectSettings, Matching
from tacenda.transforms.language.coverage import LanguageSettings, canonical, known_codes
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.token import makes_tokens
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
    """
    for i, rule_set in enumerate(settings.rule_sets):
        for k, rule in enumerate(rule_set.rules):
            if not isinstance(rule, Exclusion):
                continue
            for name in rule.info_types:
                by = [detector for detector, known in finding.items() if name in known]
                if by and (rule.matching is Matching.INVERSE or name in NAMES):
                    place = f"inspect.rule_set[{i}].rules[{k}].exclusion_rule.exclude_info_types"
                    raise document.error(
                        place,
                        f"only {' and '.join(by)} can find {name}; other detectors cannot exclude by it; "
                        "use one --detector, or drop it",
                    )


def language_settings(document: ConfigDocument, covered: Collection[str]) -> LanguageSettings:
    """Parse the section; ``covered`` are the languages of the active detectors."""
    section = document.settings("languages")
    reasons: dict[str, str] = {}
    for code, reason in section.get("accepted", {}).items():
        (known,) = checked_codes(document, f"languages.accepted.{code}", [code])
        reasons[known] = reason
    return LanguageSettings(frozenset(covered), reasons, section.get("uncovered", "quarantine"))


def checked_codes(document: ConfigDocument, place: str, codes: Sequence[Any]) -> tuple[str, ...]:
    """Canonical codes of languages."""
    known = known_codes()
    found = tuple(canonical(code) if isinstance(code, str) else "" for code in codes)
    if not set(found) <= known:
        raise document.error(
            place,
            "has a language that cannot be recognised (a YAML 'no' needs quotes); known here: "
            f"{', '.join(sorted(known))}",
        )
    return found


def inspect_section(document: ConfigDocument) -> dict[str, Any]:
    """The ``inspect`` section, a DLP InspectConfig, with the infoTypes that ``look_for`` adds.

    What it adds is written like the user's own; an empty list of infoTypes becomes that of the default ones.
    """
    asked, given = document.settings("look_for"), document.section("inspect")
    added, custom = list(asked.get("also", ())), list[Any]()
    for i, name in enumerate(added):
        if name not in catalogue() and name not in cloud_info_types():
            raise document.error(
                f"look_for.also[{i}]",
                "is no built-in infoType; 'tacenda config infotypes' lists them, and presets have a setting of "
                "their own",
            )
    for i, name in enumerate(asked.get("presets", ())):
        if name not in presets():
            known = ", ".join(sorted(presets()))
            raise document.error(f"look_for.presets[{i}]", f"is no preset; there are {known}")
        added += presets()[name].info_types
        custom += presets()[name].custom
    names, customs = _key(given, "info_types"), _key(given, "custom_info_types")
    listed = given.get(names) or [{"name": name} for name in default_info_types()]
    if not added or not isinstance(listed, list) or not isinstance(given.get(customs) or [], list):
        return given  # if it is not valid, whoever reads the section says so
    here = [entry.get("name") for entry in listed if isinstance(entry, dict)]
    return {
        **given,
        names: [*listed, *({"name": name} for name in dict.fromkeys(added) if name not in here)],
        **({customs: [*(given.get(customs) or []), *custom]} if custom else {}),
    }


def _key(section: Mapping[str, Any], name: str) -> str:
    """The name of a field as the section spells it."""
    first, *rest = name.split("_")
    camel = first + "".join(map(str.capitalize, rest))
    return camel if camel in section else name


def inspect_settings(document: ConfigDocument) -> InspectSettings:
    """Parse the ``inspect`` section with what ``look_for`` adds, the user's own functions too."""
    section, own = inspect_section(document), dict[str, Function]()
    for info_type, name in document.settings("look_for").get("functions", {}).items():
        place = f"look_for.functions.{info_type}"
        if not makes_tokens(info_type):
            raise document.error(place, "makes no token [NAME_1]; rename it in capital letters, as MY_ID")
        with document.at(place):
            own[info_type] = pinned(name)
    customs = _key(section, "custom_info_types")
    if own and isinstance(section.get(customs) or [], list):
        # Known to the rules of the section like any custom infoType.
        known = [{"info_type": {"name": name}, "surrogate_type": {}} for name in own]
        section = {**section, customs: [*(section.get(customs) or ()), *known]}
    with document.at():
        settings = parse_inspect_config(section)
    first = len(settings.custom) - len(own)
    found = (replace(one, source=own[one.info_type]) for one in settings.custom[first:])
    return replace(settings, custom=(*settings.custom[:first], *found))


def risk_settings(document: ConfigDocument, preset: str | None) -> RiskSettings:
    """Parse the sections ``risk`` and ``release``; ``preset`` from the command line overrides the file's."""
    given = {**document.settings("risk"), **document.settings("release")}
    settings = RiskSettings(**{**given, **({"preset": preset} if preset else {})})
    try:
        score_table(settings)
    except UserError as error:
        if preset and str(error).startswith("risk.preset: "):
            raise UserError(f"--risk-preset: {str(error).removeprefix('risk.preset: ')}") from None
        with document.at():
            raise
    return settings


def score_table(risk: RiskSettings) -> ScoreTable:
    """The score table of the settings."""
    return ScoreTable.load(risk.preset, risk.overrides, risk.labels)


def refuse_unsupported(document: ConfigDocument) -> list[str]:
    """Reject settings that this version does not support; they are never ignored silently.

    Returns one line for each harmless setting without effect.
    """
    return [*unheeded(document.section("inspect")), *read_replacement(document)[1]]


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
