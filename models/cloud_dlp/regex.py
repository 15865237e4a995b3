"""Express a built-in infoType as the one regular expression that a custom infoType of the cloud may have."""

from typing import NamedTuple

from tacenda.transforms.detecting.inspect_config import MAX_GROUPS
from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.detecting.rules.catalogue import Boundary, InfoType, Pattern
from tacenda.transforms.schema.likelihood import Likelihood

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
    alternatives = [*_joined(patterns), *(p for p in patterns if p.group)]
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


def _joined(patterns: list[Pattern]) -> list[Pattern]:
    """Join the patterns whose whole match is the finding, one alternation a boundary."""
    regexes: dict[Boundary, list[str]] = {}
    for pattern in patterns:
        if not pattern.group:
            regexes.setdefault(pattern.boundary, []).append(f"(?:{pattern.regex})")
    least = min(p.likelihood for p in patterns)
    return [Pattern("|".join(found), least, boundary=boundary) for boundary, found in regexes.items()]
