"""Translate our config into a DLP InspectConfig that finds the same infoTypes in the cloud.

InfoTypes built into the cloud are sent by name and found by the cloud's own detectors. Those that only our
catalogue has (``NUMERIC``, ``SPELLED_WORD``) are sent as custom infoTypes with our pattern; the cloud has no
validators, so it finds somewhat more than we do. The user's custom infoTypes, dictionaries and rule sets are
sent unchanged, except that local dictionaries are inlined as word lists.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from tacenda.transforms.detecting.inspect_config import MAX_GROUPS, UNHEEDED
from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.detecting.rules.catalogue import Boundary, InfoType, Pattern, catalogue
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.process_cache import built_once

_GUARDS: dict[Boundary, str] = {"word": r"(?:^|[^\pL\p{Nd}_])", "digit": r"(?:^|\P{Nd})", "none": ""}
"""What may precede a match. RE2 has no lookbehind, so it is matched and the finding is a group after it."""

MAX_PATTERN = 1_000
"""Longest regular expression that the service takes, in characters, plus one."""


class CloudRegex(NamedTuple):
    """The finding is in whichever of ``groups`` matched; empty if it is the whole match."""

    pattern: str
    groups: tuple[int, ...]
    likelihood: Likelihood


def cloud_regex(info_type: InfoType) -> CloudRegex:
    """Combine an infoType's patterns into one alternation, with the lowest of their likelihoods.

    Patterns below POSSIBLE, which count only near a hotword, are left out if there are others, because one
    expression has one likelihood; so are patterns beyond the cloud's limits on groups and length, such as those
    that hold a whole word list. Validators cannot be expressed. The infoType must have a pattern.
    """
    sure = [p for p in info_type.patterns if p.likelihood >= Likelihood.POSSIBLE]
    fitting: list[Pattern] = []
    made = _one_of(list(sure or info_type.patterns)[:1])
    for pattern in sure or info_type.patterns:
        longer = _one_of([*fitting, pattern])
        if len(longer.groups) <= MAX_GROUPS and len(longer.pattern) < MAX_PATTERN:
            fitting, made = [*fitting, pattern], longer
    return made


def _one_of(patterns: list[Pattern]) -> CloudRegex:
    likelihood = min(p.likelihood for p in patterns)
    # Patterns whose whole match is the finding are one alternation a boundary.
    regexes: dict[Boundary, list[str]] = {}
    for pattern in patterns:
        if not pattern.group:
            regexes.setdefault(pattern.boundary, []).append(f"(?:{pattern.regex})")
    joined = [Pattern("|".join(found), likelihood, boundary=boundary) for boundary, found in regexes.items()]
    alternatives = [*joined, *(p for p in patterns if p.group)]
    if len(alternatives) == 1 and not alternatives[0].group and alternatives[0].boundary == "none":
        return CloudRegex(alternatives[0].regex, (), likelihood)
    parts: list[str] = []
    groups: list[int] = []
    before = 0
    for pattern in alternatives:
        body = f"(?:{pattern.regex})" if pattern.group else f"({pattern.regex})"
        parts.append(_GUARDS[pattern.boundary] + body)
        groups.append(before + (pattern.group or 1))
        before += compiled(parts[-1]).groups
    return CloudRegex("|".join(parts), tuple(groups), likelihood)


CLOUD_URL = "gs://"

MAX_CONFIG_BYTES = 250_000
"""Half of the service's request limit (0.5 MB); the other half is for conversations."""


@built_once
def cloud_info_types() -> frozenset[str]:
    """Names of the cloud's built-in infoTypes, as far as we list them."""
    text = (files(__package__) / "info_types.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def without_cloud_only(section: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Remove the infoTypes that only the cloud has from an ``inspect`` section; also returns their names.

    They are removed from the list, the thresholds and the rule sets. An inverse-match exclusion that refers
    to one is removed as well: without that infoType it would exclude more than the user asked for. An invalid
    section is returned unchanged; the code that reads it next reports the error.
    """
    from google.cloud import dlp_v2

    inverse = dlp_v2.MatchingType.MATCHING_TYPE_INVERSE_MATCH
    message = _read(section)
    if message is None:
        return dict(section), ()
    known = {*catalogue(), *(c.info_type.name for c in message.custom_info_types)}
    cloud_only = cloud_info_types() - known
    asked = tuple(sorted({t.name for t in message.info_types} & cloud_only))
    if not asked:
        return dict(section), ()
    _drop(message.info_types, lambda t: t.name in cloud_only)
    _drop(message.min_likelihood_per_info_type, lambda m: m.info_type.name in cloud_only)
    for exclusion in _exclusions(message, "exclude_info_types"):
        others = exclusion.exclude_info_types.info_types
        if exclusion.matching_type == inverse and any(t.name in cloud_only for t in others):
            del others[:]
        _drop(others, lambda t: t.name in cloud_only)
    for rule_set in message.rule_set:
        _drop(rule_set.info_types, lambda t: t.name in cloud_only)
        _drop(rule_set.rules, _excludes_by_nothing)
    _drop(message.rule_set, lambda s: not (s.info_types and s.rules))
    return _written(message), asked


def cloud_inspect_config(
    section: Mapping[str, Any], settings: InspectSettings, cloud_only: Iterable[str] = ()
) -> dict[str, Any]:
    """Build the InspectConfig for the cloud, as JSON data in camelCase.

    Args:
        section: the user's ``inspect`` section, validated.
        settings: the same section as settings; they name the catalogue infoTypes to find.
        cloud_only: infoTypes to find that only the cloud has.

    Raises:
        UserError: a dictionary that must be inlined is too large for a request or cannot be read.
    """
    from google.cloud import dlp_v2

    message = _read(section) or dlp_v2.InspectConfig.pb()()
    own = [name for name in settings.info_types if name not in cloud_info_types()]
    for field in ("info_types", *UNHEEDED):
        message.ClearField(field)
    for name in sorted({*settings.info_types, *cloud_only} - set(own)):
        message.info_types.add(name=name)
    message.min_likelihood = int(settings.min_likelihood)
    for dictionary in _dictionaries(message):
        if not dictionary.cloud_storage_path.path.startswith(CLOUD_URL):
            _carry_along(dictionary)
    message.custom_info_types.extend(_custom(catalogue()[name]) for name in own)
    if message.ByteSize() > MAX_CONFIG_BYTES:
        raise UserError(
            f"inspect: takes {message.ByteSize():,} bytes; at most {MAX_CONFIG_BYTES:,} can go to the cloud "
            "with each request; move its dictionaries to gs:// and name them as cloud_storage_path"
        )
    return _written(message)


def _custom(info_type: InfoType) -> Any:
    from google.cloud import dlp_v2

    found = cloud_regex(info_type)
    message = dlp_v2.CustomInfoType.pb()(likelihood=int(found.likelihood))
    message.info_type.name = info_type.name
    message.regex.pattern = found.pattern
    message.regex.group_indexes.extend(found.groups)
    for hotword in info_type.hotwords:
        # Rule sets are newer, but a config may have only ten of them, which are left to the user.
        rule = message.detection_rules.add().hotword_rule
        rule.hotword_regex.pattern = hotword.regex
        rule.proximity.window_before = hotword.window_before
        rule.proximity.window_after = hotword.window_after
        if hotword.fixed is None:
            rule.likelihood_adjustment.relative_likelihood = hotword.relative
        else:
            rule.likelihood_adjustment.fixed_likelihood = int(hotword.fixed)
    return message


def _dictionaries(message: Any) -> Iterator[Any]:
    """All dictionaries given by a path."""
    custom = [c for c in message.custom_info_types if c.WhichOneof("type") == "dictionary"]
    found = (one.dictionary for one in (*custom, *_exclusions(message, "dictionary")))
    return (d for d in found if d.WhichOneof("source") == "cloud_storage_path")


def _exclusions(message: Any, by: str) -> list[Any]:
    """The exclusion rules of one kind. Accessing that field of a hotword rule would change its type."""
    rules = [rule for rule_set in message.rule_set for rule in rule_set.rules]
    exclusions = [rule.exclusion_rule for rule in rules if rule.WhichOneof("type") == "exclusion_rule"]
    return [e for e in exclusions if e.WhichOneof("type") == by]


def _excludes_by_nothing(rule: Any) -> bool:
    exclusion = rule.exclusion_rule
    return (
        exclusion.WhichOneof("type") == "exclude_info_types" and not exclusion.exclude_info_types.info_types
    )


def _carry_along(dictionary: Any) -> None:
    """Inline a dictionary's words in place of its path, which the cloud cannot read."""
    url = dictionary.cloud_storage_path.path
    with open_read(url) as file:
        data = file.read(MAX_CONFIG_BYTES + 1)
    if len(data) > MAX_CONFIG_BYTES:
        raise UserError(
            f"inspect: {url} is too large to send to the cloud with each request; copy it to gs:// and name "
            "that path as cloud_storage_path"
        )
    try:
        words = map(str.strip, data.decode("utf-8-sig").splitlines())
    except UnicodeDecodeError:
        why = "not plain UTF-8 text, the only kind that the cloud takes; convert it"
        raise UserError(f"inspect: {url} is {why}") from None
    dictionary.word_list.words.extend(word for word in words if any(map(str.isalnum, word)))


def _drop(repeated: Any, unwanted: Callable[[Any], bool]) -> None:
    kept = [item for item in repeated if not unwanted(item)]
    del repeated[:]
    repeated.extend(kept)


def _read(section: Mapping[str, Any]) -> Any:
    from google.cloud import dlp_v2
    from google.protobuf import json_format

    try:
        return json_format.ParseDict(dict(section), dlp_v2.InspectConfig.pb()())
    except (json_format.ParseError, TypeError, AttributeError):
        return None


def _written(message: Any) -> dict[str, Any]:
    from google.protobuf import json_format

    written: dict[str, Any] = json_format.MessageToDict(message)
    return written
