"""Read a DLP InspectConfig into settings of the rules engine; reject what cannot be honoured offline.

The config is parsed with Google's own message types, so a config that works with the service works here, and
a misspelt field is an error in both. Field names: snake_case or camelCase.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import re2

from tacenda.transforms.detecting.message_fields import parsed
from tacenda.transforms.detecting.patterns.scanning import compiled, why_refused
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Exclusion,
    Hotword,
    InspectSettings,
    Matching,
    Regex,
    RuleSet,
    Surrogate,
    WordDictionary,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import MAX_NAME, makes_tokens
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.opening import open_read

MAX_WINDOW = 1000
"""Maximum total window of a hotword in code points, as in the DLP API."""

MAX_GROUPS = 3

WORD_LISTS = ("word_list", "wordList")
"""Names of word lists in a config; their words may be people's names."""

_UNSUPPORTED_SOURCES = {
    "stored_type": "stored infoTypes live in Google Cloud; use dictionary.cloud_storage_path",
    "metadata_key_value_expression": "conversations have no file metadata; drop it",
    "file_label_info_type": "conversations have no file labels; drop it",
}


def parse_inspect_config(config: Mapping[str, Any], where: str = "inspect") -> InspectSettings:
    """Check an InspectConfig and turn it into settings; ``where`` is its location, for messages.

    An empty ``info_types``, like a missing one, means all defaults of the catalogue, even if the config has
    custom infoTypes.

    Raises:
        UserError: one line that names the field, what is wrong, and how to mend it.
    """
    if config == {}:
        # Importing Google's message types takes a third of a second, and is not needed here.
        return InspectSettings(default_info_types())
    message = parsed(config, "InspectConfig", where)
    custom = tuple(
        _custom(c, f"{where}.custom_info_types[{i}]") for i, c in enumerate(message.custom_info_types)
    )
    names = _built_in_names(message, {c.info_type for c in custom}, where)
    known = {*names, *(c.info_type for c in custom)}
    return InspectSettings(
        info_types=names,
        min_likelihood=_likelihood(message.min_likelihood, Likelihood.POSSIBLE),
        min_likelihood_by_info_type=tuple(
            (
                _name(m.info_type.name, known, f"{where}.min_likelihood_per_info_type[{i}].info_type.name"),
                _likelihood(m.min_likelihood, Likelihood.POSSIBLE),
            )
            for i, m in enumerate(message.min_likelihood_per_info_type)
        ),
        custom=custom,
        rule_sets=tuple(
            _rule_set(s, known, f"{where}.rule_set[{i}]") for i, s in enumerate(message.rule_set)
        ),
    )


UNHEEDED = {
    "include_quote": "findings never carry text",
    "exclude_info_types": "findings always carry their infoType",
    "content_options": "only text is read",
    "limits": "all findings count, as a limit would leave personal data readable",
}
"""Fields of an InspectConfig that affect only the service's response, and why they have no effect here."""


def unheeded(config: Mapping[str, Any]) -> list[str]:
    """One line for each field of an InspectConfig that has no effect here."""
    given = {str(key).replace("_", "").lower() for key, value in config.items() if value}
    told = ((name, why) for name, why in UNHEEDED.items() if name.replace("_", "") in given)
    return [f"inspect.{name} has no effect: {why}" for name, why in told]


def _built_in_names(message: Any, custom: set[str], where: str) -> tuple[str, ...]:
    if not message.info_types:
        return default_info_types()
    names = []
    for i, info_type in enumerate(message.info_types):
        place = f"{where}.info_types[{i}]"
        if info_type.version not in ("", "latest", "stable"):
            raise UserError(f"{place}.version: only latest and stable are known; drop it")
        if info_type.name in catalogue():
            names.append(info_type.name)
        elif info_type.name not in custom:
            raise UserError(f"{place}.name: {_unknown(info_type.name)}")
    return tuple(sorted(set(names)))


def _unknown(name: str) -> str:
    return f"infoType {name or '(empty)'} is unknown; use a built-in one or define it as a custom one"


def _name(name: str, known: set[str], place: str) -> str:
    if name not in known and name not in catalogue():
        raise UserError(f"{place}: {_unknown(name)}")
    return name


def _likelihood(value: int, default: Likelihood) -> Likelihood:
    return Likelihood(value) if value else default


def _custom(message: Any, place: str) -> CustomInfoType:
    name = message.info_type.name
    if not name:
        raise UserError(f"{place}.info_type.name: is missing; give it a name such as MY_ID")
    if not makes_tokens(name):
        raise UserError(
            f"{place}.info_type.name: makes no token [NAME_1]; rename it: a capital letter, then up to "
            f"{MAX_NAME - 1} of A-Z, 0-9, _, - and $, and no MISSED_ at its beginning"
        )
    kind = message.WhichOneof("type")
    if kind in _UNSUPPORTED_SOURCES:
        raise UserError(f"{place}.{kind}: cannot be honoured offline; {_UNSUPPORTED_SOURCES[kind]}")
    source: WordDictionary | Regex | Surrogate
    if kind == "dictionary":
        source = _dictionary(message.dictionary, f"{place}.dictionary")
    elif kind == "regex":
        source = _regex(message.regex, f"{place}.regex")
    elif kind == "surrogate_type":
        source = Surrogate()
    else:
        raise UserError(f"{place}: finds nothing; give it a dictionary, a regex or a surrogate_type")
    return CustomInfoType(
        info_type=name,
        likelihood=_likelihood(message.likelihood, Likelihood.VERY_LIKELY),
        source=source,
        hotwords=tuple(
            _hotword(rule.hotword_rule, f"{place}.detection_rules[{i}].hotword_rule")
            for i, rule in enumerate(message.detection_rules)
        ),
        excluding=message.exclusion_type == 1,
    )


def _dictionary(message: Any, place: str) -> WordDictionary:
    if message.WhichOneof("source") == "cloud_storage_path":
        url = message.cloud_storage_path.path
        if not url:
            raise UserError(f"{place}.cloud_storage_path.path: is empty; give a path or URL")
        try:
            open_read(url).close()
        except UserError as error:
            raise UserError(f"{place}.cloud_storage_path.path: {error}") from None
        except OSError as error:
            kind = type(error).__name__
            raise UserError(f"{place}.cloud_storage_path.path: {url}: {kind}; check the path") from None
        return WordDictionary(url=absolute(url))
    words = tuple(word for word in message.word_list.words if any(c.isalnum() for c in word))
    if not words:
        raise UserError(f"{place}: holds no term with a letter or digit; add words or drop it")
    return WordDictionary(words=words)


def _pattern(pattern: str, place: str) -> str:
    if not pattern:
        raise UserError(f"{place}: is empty; give an RE2 pattern")
    if "\\C" in pattern:
        raise UserError(f"{place}: \\C matches bytes, not characters; use . instead")
    try:
        compiled(pattern)
    except re2.error as error:
        raise UserError(f"{place}: not an RE2 pattern ({why_refused(error)}); mend it") from None
    return pattern


def _regex(message: Any, place: str) -> Regex:
    pattern = _pattern(message.pattern, f"{place}.pattern")
    groups = tuple(message.group_indexes)
    if len(groups) > MAX_GROUPS:
        raise UserError(f"{place}.group_indexes: at most {MAX_GROUPS} are allowed")
    if any(not 0 <= group <= compiled(pattern).groups for group in groups):
        raise UserError(f"{place}.group_indexes: the pattern has only {compiled(pattern).groups} groups")
    return Regex(pattern, groups or (0,))


def _window(message: Any, place: str) -> tuple[int, int]:
    before, after = message.window_before, message.window_after
    if before < 0 or after < 0 or before + after > MAX_WINDOW:
        raise UserError(f"{place}: window_before + window_after must be 0 to {MAX_WINDOW} in all")
    return before, after


def _hotword(message: Any, place: str) -> Hotword:
    pattern = _pattern(message.hotword_regex.pattern, f"{place}.hotword_regex.pattern")
    before, after = _window(message.proximity, f"{place}.proximity")
    adjustment = message.likelihood_adjustment
    kind = adjustment.WhichOneof("adjustment")
    if kind is None:
        raise UserError(f"{place}.likelihood_adjustment: is missing; give a fixed or relative one")
    if kind == "fixed_likelihood":
        if not adjustment.fixed_likelihood:
            raise UserError(f"{place}.likelihood_adjustment.fixed_likelihood: is unspecified; choose one")
        return Hotword(pattern, before, after, fixed=Likelihood(adjustment.fixed_likelihood))
    return Hotword(pattern, before, after, relative=adjustment.relative_likelihood)


def _rule_set(message: Any, known: set[str], place: str) -> RuleSet:
    if not message.info_types:
        raise UserError(f"{place}.info_types: is empty; name the infoTypes that the rules are for")
    names = tuple(
        _name(t.name, known, f"{place}.info_types[{i}].name") for i, t in enumerate(message.info_types)
    )
    rules: list[Hotword | Exclusion] = []
    for i, rule in enumerate(message.rules):
        kind = rule.WhichOneof("type")
        here = f"{place}.rules[{i}]"
        if kind == "hotword_rule":
            rules.append(_hotword(rule.hotword_rule, f"{here}.hotword_rule"))
        elif kind == "exclusion_rule":
            rules.append(_exclusion(rule.exclusion_rule, known, f"{here}.exclusion_rule"))
        else:
            raise UserError(f"{here}: only hotword_rule and exclusion_rule can be honoured offline; use one")
    if not rules:
        raise UserError(f"{place}.rules: is empty; add a rule or drop the rule set")
    return RuleSet(names, tuple(rules))


def _exclusion(message: Any, known: set[str], place: str) -> Exclusion:
    by_number = dict(enumerate(Matching, 1))
    if message.matching_type not in by_number:
        reason = "cannot be honoured offline" if message.matching_type else "is missing"
        raise UserError(f"{place}.matching_type: {reason}; use one of {', '.join(m.value for m in Matching)}")
    matching = by_number[message.matching_type]
    kind = message.WhichOneof("type")
    if kind == "dictionary":
        return Exclusion(matching, dictionary=_dictionary(message.dictionary, f"{place}.dictionary"))
    if kind == "regex":
        return Exclusion(matching, regex=_pattern(message.regex.pattern, f"{place}.regex.pattern"))
    if kind == "exclude_info_types":
        others: Sequence[Any] = message.exclude_info_types.info_types
        if not others:
            raise UserError(f"{place}.exclude_info_types.info_types: is empty; name at least one")
        here = f"{place}.exclude_info_types.info_types"
        return Exclusion(
            matching,
            info_types=tuple(_name(t.name, known, f"{here}[{i}].name") for i, t in enumerate(others)),
        )
    if kind == "exclude_by_hotword":
        here = f"{place}.exclude_by_hotword"
        pattern = _pattern(message.exclude_by_hotword.hotword_regex.pattern, f"{here}.hotword_regex.pattern")
        before, after = _window(message.exclude_by_hotword.proximity, f"{here}.proximity")
        return Exclusion(matching, hotword=Hotword(pattern, before, after))
    raise UserError(f"{place}: needs a dictionary, a regex, exclude_info_types or exclude_by_hotword")
