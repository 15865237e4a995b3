"""The ``models`` section: which trained models to run, with their decoding settings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Rule, read_decision
from tacenda.models.token_classifier.labels import pin_label_map
from tacenda.models.token_classifier.loading import classes_of, package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.laboratory import ENGINE, require_laboratory
from tacenda.pipelines.config.sections import checked_codes
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.language.coverage import canonical
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute


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
        if unheeded := [key for key in ("label_map", "places", "device") if key in entry]:
            raise UserError(f"model {path}: a masked language model takes no '{unheeded[0]}'; leave it out")
        if not any((decision.threshold, *dict(decision.by_language).values())):
            raise UserError(
                f"{place}: no word is less probable than threshold 0, so the model would find nothing; raise it"
            )
    elif decision.by_language:
        raise UserError(f"{place}: 'by_language' applies to a masked language model only; leave it out")
    given = entry.get("label_map")
    label_map = None if given is None else pin_label_map(given)
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
    asked = ("threads", "places", "device")
    return replace(found, **{name: entry[name] for name in asked if name in entry})
