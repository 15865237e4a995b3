"""Replacement settings: the sections ``replacement`` and ``deidentify``, and the locations of secrets."""

import hashlib
from collections.abc import Collection
from dataclasses import asdict, replace
from typing import Any

from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.laboratory import require_laboratory
from tacenda.pipelines.config.named_files import read_list
from tacenda.transforms.detecting.correcting.marks import counts_of
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.linking.linked import RECONCILE, LinkingSettings, Reconcile
from tacenda.transforms.replacing import settings as names
from tacenda.transforms.replacing.deidentify_config import KeyRing, parse_deidentify_config
from tacenda.transforms.replacing.keys import GivenKey, KeyReference
from tacenda.transforms.replacing.surrogates.context import SurrogateSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, read_bytes


def linking_settings(document: ConfigDocument) -> LinkingSettings:
    """Parse the part of ``entities`` on linking."""
    section = document.settings("entities")
    reconcile: Reconcile = section.get("reconcile", "none")
    if reconcile != "none":
        require_laboratory(RECONCILE)
    asked = document.section("look_for").get("presets") or ()
    public = any(presets()[name].public_knowledge for name in asked if name in presets())
    return LinkingSettings(section.get("propagate", True), reconcile, public_knowledge=public)


def without_keys(section: Any) -> Any:
    """The section without inline keys, for manifest and hash."""
    if isinstance(section, dict):
        return {
            name: {} if name == "unwrapped" and isinstance(value, dict) else without_keys(value)
            for name, value in section.items()
        }
    return [without_keys(value) for value in section] if isinstance(section, list) else section


def read_replacement(document: ConfigDocument) -> tuple[names.ReplacementSettings, tuple[str, ...]]:
    """Parse both sections; with a line for each setting without effect, or another effect than in the cloud."""
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
