"""Express a built-in infoType as the single regular expression that a custom infoType in the cloud may have."""

from typing import NamedTuple

from tacenda.transforms.detecting.inspect_config import MAX_GROUPS
from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.detecting.rules.catalogue import Boundary, InfoType, Pattern
from tacenda.transforms.schema.likelihood import Likelihood

_GUARDS: dict[Boundary, str] = {"word": r"(?:^|[^\pL\p{Nd}_])", "digit": r"(?:^|\P{Nd})", "none": ""}
"""What may stand before a match. RE2 cannot look back, so it is matched and the finding is a group after it."""

MAX_PATTERN = 1_000
"""Characters that a regular expression of the service may have, and one."""


class CloudRegex(NamedTuple):
    """``groups`` are those that the finding is in, whichever of them matched; empty for the whole match."""

    pattern: str
    groups: tuple[int, ...]
    likelihood: Likelihood


def cloud_regex(info_type: InfoType) -> CloudRegex:
    """The infoType's patterns as alternatives of one, as sure as the least sure of them.

    Patterns that only a hotword lifts to POSSIBLE or more are left out where there are others: one pattern can
    have one likelihood only. So are those that come when the cloud's limits of groups and length are reached.
    Validators stay behind. An infoType without patterns has no such form.
    """
    sure = [p for p in info_type.patterns if p.likelihood >= Likelihood.POSSIBLE]
    first, *others = sure or info_type.patterns
    fitting, made = [first], _one_of([first])
    for pattern in others:
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
    """Patterns whose whole match is the finding, joined where the same may stand before them."""
    regexes: dict[Boundary, list[str]] = {}
    for pattern in patterns:
        if not pattern.group:
            regexes.setdefault(pattern.boundary, []).append(f"(?:{pattern.regex})")
    least = min(p.likelihood for p in patterns)
    return [Pattern("|".join(found), least, boundary=boundary) for boundary, found in regexes.items()]
