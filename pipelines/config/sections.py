"""Turn a config document into validated settings; every error is reported before the run starts."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.models.token_classifier.decoding_settings import Rule, read_decision
from tacenda.models.token_classifier.labels import read_label_map
from tacenda.models.token_classifier.loading import classes_of, package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.laboratory import ENGINE, require_laboratory
from tacenda.pipelines.config.named_files import read_list
from tacenda.transforms.detecting.correcting.marks import counts_of
from tacenda.transforms.detecting.functions import pinned
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.settings import Function, InspectSettings
from tacenda.transforms.language.coverage import LanguageSettings, canonical, known_codes
from tacenda.transforms.linking.linked import RECONCILE, LinkingSettings, Reconcile
from tacenda.transforms.releasing.criterion import DEFAULT_GATE, ReleaseOn
from tacenda.transforms.replacing import settings as names
from tacenda.transforms.replacing.deidentify_config import KeyRing, parse_deidentify_config
from tacenda.transforms.replacing.keys import GivenKey, KeyReference
from tacenda.transforms.replacing.surrogates.context import SurrogateSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import makes_tokens
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.storage.files import absolute, read_bytes


@dataclass(frozen=True, slots=True)
class RiskSettings:
    """How residual findings are scored, and the criterion for a release."""

    preset: str = "appendix"
    overrides: dict[str, Any] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    variant_clustering: bool = False
    threshold: float = DEFAULT_GATE.threshold
    direct_identifiers_at_most: float = DEFAULT_GATE.direct_identifiers_at_most
    release_on: ReleaseOn = DEFAULT_GATE.release_on
    least_conversations: int = DEFAULT_GATE.least_conversations
    largest_quarantined_share: float = DEFAULT_GATE.largest_quarantined_share
    because: str | None = None

    def table(self) -> ScoreTable:
        """The score table."""
        return ScoreTable.load(self.preset, self.overrides, self.labels)


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


def model_settings(document: ConfigDocument, paths: Sequence[str] = ()) -> tuple[ModelSettings, ...]:
    """The models of a run: those of ``paths``, otherwise the config's, otherwise the shipped one."""
    if not all(paths):
        raise UserError("--model: the path is empty; name a folder, or leave --model out")
    if paths:
        return tuple(_settings({"path": path}, f"--model {path}") for path in paths)
    entries = document.settings("models")
    if not entries:
        return (_settings({}, "--detector model"),)
    found = []
    for place, entry in ((f"models[{i}]", entry) for i, entry in enumerate(entries)):
        if entry.get("path") == "":
            raise document.error(f"{place}.path", "is empty; name a folder, or leave it out")
        if "languages" in entry:
            codes = checked_codes(document, f"{place}.languages", entry["languages"])
            entry = {**entry, "languages": codes}
        with document.at(place):
            found.append(_settings(entry, f"{place}.decision"))
    return tuple(found)


def _settings(entry: dict[str, Any], place: str) -> ModelSettings:
    path = absolute(entry["path"]) if entry.get("path") is not None else None
    package = package_of(path)
    decision = read_decision(entry["decision"], place) if "decision" in entry else package.decision
    masked = package.engine is Engine.MASKED_LM
    if masked:
        require_laboratory(ENGINE)
        if decision.rule is not Rule.BINARY:
            raise UserError(f"{place}: a masked language model tells no classes; set 'rule: binary'")
        if unheeded := [key for key in ("label_map", "device") if key in entry]:
            raise UserError(f"model {path}: a masked language model takes no '{unheeded[0]}'; leave it out")
        if not any((decision.threshold, *dict(decision.by_language).values())):
            raise UserError(
                f"{place}: no word is less probable than threshold 0, so the model would find nothing; raise it"
            )
    elif decision.by_language:
        raise UserError(f"{place}: 'by_language' applies to a masked language model only; leave it out")
    given = entry.get("label_map")
    label_map = None if given is None else read_label_map(given)
    classes = [c for c in classes_of(package, label_map) if c is not None]
    for name, _ in decision.thresholds:
        if name not in classes:
            raise UserError(f"{place}: a threshold for {name}, which the model does not know")
    if decision.rule is Rule.BINARY and decision.info_type not in catalogue():
        raise UserError(
            f"{place}: 'info_type' {decision.info_type} is unknown; see 'tacenda config infotypes'"
        )
    if not masked and not decision.within_reach(classes):
        raise UserError(
            f"{place}: the model would find nothing: no probability passes the thresholds, or no label is "
            "personal data; mend that, or leave the model out"
        )
    languages = tuple(entry.get("languages", package.languages))
    if masked:
        # Without those in which it finds nothing.
        least = dict(decision.by_language)
        languages = tuple(code for code in languages if least.get(canonical(code), decision.threshold))
    # Gold may have a few sentences of a language that the package's maker does not vouch for.
    measured = {*map(canonical, package.measured)} & {*map(canonical, package.languages)}
    claimed = tuple(code for code in languages if canonical(code) not in measured)
    found = ModelSettings(
        path, package.fingerprint, decision, label_map, languages=languages, claimed=claimed
    )
    asked = ("threads", "device")
    return replace(found, **{name: entry[name] for name in asked if name in entry})


def risk_settings(document: ConfigDocument) -> RiskSettings:
    """Parse the sections ``risk`` and ``release``."""
    settings = RiskSettings(**document.settings("risk"), **document.settings("release"))
    with document.at():
        settings.table()
    return settings


def linking_settings(document: ConfigDocument) -> LinkingSettings:
    """Parse the part of ``entities`` on linking."""
    section = document.settings("entities")
    reconcile: Reconcile = section.get("reconcile", "none")
    if reconcile != "none":
        require_laboratory(RECONCILE)
    asked = document.section("look_for").get("presets") or ()
    public = any(presets()[name].public_knowledge for name in asked if name in presets())
    return LinkingSettings(reconcile, public_knowledge=public)


def without_keys(section: Any) -> Any:
    """The section without inline keys, for manifest and hash."""
    if isinstance(section, dict):
        return {
            name: {} if name == "unwrapped" and isinstance(value, dict) else without_keys(value)
            for name, value in section.items()
        }
    return [without_keys(value) for value in section] if isinstance(section, list) else section


def read_replacement(document: ConfigDocument) -> tuple[names.ReplacementSettings, tuple[str, ...]]:
    """Parse both sections; with a line for each setting without effect, or another effect than in the cloud.

    Settings that this version does not support are refused: they are never ignored silently.
    """
    section = document.settings("replacement")

    def key_at(path: str, given: str) -> KeyReference:
        with document.at(f"replacement.{path}"):
            return KeyReference(given)

    secret = key_at("secret", section["secret"]) if "secret" in section else None
    named = {name: key_at(f"keys.{name}", given) for name, given in section.get("keys", {}).items()}
    with document.at():
        asked = parse_deidentify_config(document.section("deidentify"), KeyRing(named, secret), "deidentify")
    used = {one.key for policy in asked.policies if (one := policy.transformation) is not None}
    notes = list(asked.notes)
    if any(isinstance(key, GivenKey) for key in used):
        notes.append(
            "deidentify: the config contains a key, which all its readers have; give its location under "
            "replacement.keys instead"
        )
    unused = (name for name, key in named.items() if key not in used)
    notes += (f"replacement.keys.{name} has no effect: no transformation uses it" for name in unused)
    scope: names.Scope = document.settings("entities").get("scope", "conversation")
    if scope == "corpus" and secret is None:
        raise document.error(
            "entities.scope",
            "corpus-wide tokens need a secret; give its location under replacement.secret, as env:NAME or "
            "file:PATH",
        )
    by_info_type = section.get("info_types", {})
    settings = names.ReplacementSettings(
        default=section.get("default", names.TOKENS),
        info_types=tuple(sorted(by_info_type.items())),
        kept=tuple(sorted(section.get("keep", {}).items())),
        secret=secret,
        lists=tuple(_list_file(document, url, i) for i, url in enumerate(section.get("lists", ()))),
        eponyms=section.get("eponyms", False),
        policies=asked.policies,
        on_error=asked.on_error,
        surrogates=SurrogateSettings(**section.get("surrogates", {})),
        scope=scope,
        hiding=names.HidingSettings(**section.get(names.HIDDEN, {})),
    )
    for name in settings.drawn:
        if name in names.OF_LABORATORY:
            require_laboratory(name)
    if names.MASKED_LM in settings.drawn:
        given = section.get(names.MASKED_LM, {})
        with document.at(f"replacement.{names.MASKED_LM}.path"):
            if "path" not in given:
                raise UserError("is missing; name the folder of a masked language model")
            package = package_of(path := absolute(given["path"]))
            if package.engine is not Engine.MASKED_LM:
                raise UserError("is no masked language model")
        model = names.FillMaskSettings(**{**given, "path": path, "fingerprint": package.fingerprint})
        settings = replace(settings, masked_lm=model)
    if settings.drawn and secret is None:
        raise document.error(
            "replacement", f"{' and '.join(settings.drawn)} need a secret; add secret: env:NAME or file:PATH"
        )
    if settings.surrogates.tagged and names.HIDDEN in settings.drawn:
        raise document.error(
            "replacement.surrogates.tagged",
            "tags show which names are invented, so that none hides among them; use "
            f"{names.SURROGATES} instead of {names.HIDDEN}, or no tags",
        )
    return settings, tuple(notes)


def _list_file(document: ConfigDocument, url: str, i: int) -> names.ListFile:
    """A validated list, and the hash that every worker must find."""
    with document.at(f"replacement.lists[{i}]"):
        try:
            data = read_bytes(absolute(url))
        except (OSError, UserError):
            raise UserError("cannot be read; check the path") from None
        file = names.ListFile(absolute(url), hashlib.sha256(data).hexdigest())
        return replace(file, lines=tuple(entry.line for entry in read_list(file)))


def refuse_unknown_kept(
    document: ConfigDocument, settings: names.ReplacementSettings, known: Collection[str]
) -> None:
    """Raise if an infoType to keep is not looked for: it may be misspelt."""
    for info_type, _ in settings.kept:
        if info_type not in known:
            raise document.error(
                f"replacement.keep.{info_type}",
                "is not looked for and so never replaced; remove it, or spell it as in 'config infotypes'",
            )


def describe_replacement(settings: names.ReplacementSettings) -> dict[str, Any]:
    """The settings as shown in manifest and report, and as part of the config's hash; without keys."""
    told: dict[str, Any] = {
        "default": settings.default,
        "info_types": dict(settings.info_types),
        "keep": dict(settings.kept),
    }
    if settings.drawn:
        told["drawn"] = list(settings.drawn)
    if {names.SURROGATES, names.HIDDEN} & {*settings.drawn}:
        told[names.SURROGATES] = asdict(settings.surrogates)
    if names.HIDDEN in settings.drawn:
        told[names.HIDDEN] = asdict(settings.hiding)
    if (model := settings.masked_lm) is not None:
        package = package_of(model.path)
        told[names.MASKED_LM] = {"name": package.name, "version": package.version} | {
            name: value for name, value in asdict(model).items() if name != "path"
        }
    # Lists without their words: the hash of a short list would reveal them as well.
    lists = [
        {"file": redact_url(file.url).rpartition("/")[2], **counts_of(read_list(file))}
        for file in settings.lists
    ]
    policies: list[dict[str, Any]] = []
    for policy in settings.policies:
        one = policy.transformation
        what: dict[str, Any] = {
            "info_types": list(policy.info_types),
            "what": "tokens" if one is None else one.what,
        }
        if one is not None:
            what |= {"readable": one.weakness, "pseudonymised": one.pseudonymised}
            what |= {} if one.key is None else {"key": str(one.key)}
        policies.append(what)
    return told | {
        "secret": None if settings.secret is None else str(settings.secret),
        "lists": lists,
        "eponyms": settings.eponyms,
        "policies": policies,
        "on_error": settings.on_error,
        "scope": settings.scope,
        "pseudonymised": settings.is_pseudonymous(),
    }


def refuse_unscored(document: ConfigDocument, inspect: InspectSettings, table: ScoreTable) -> None:
    """Reject infoTypes that are neither in the score table nor declared as unscored.

    Otherwise every conversation in which the second look finds one would be quarantined.
    """
    names = dict.fromkeys([*inspect.info_types, *(c.info_type for c in inspect.custom if not c.excluding)])
    for name in names:
        if table.resolve(name) is None:
            raise document.error(
                "inspect.custom_info_types",
                f"infoType {name} has no score; add risk.labels: {{{name}: TAG}} with a tag of the score "
                f"table, or {{{name}: unscored}}",
            )


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
