"""Dictation: a number said in short parts, between which the listener says *mhm*.

``four one five`` – *mhm* – ``five five`` – *yes* – ``nine``: a detector sees that one of the parts is a
number's, but another is too short to be one by itself. A part is found if it follows, or precedes, one that was
found, with nothing but acknowledgements between them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.linking.propagation.known import kind_of
from tacenda.transforms.linking.spoken_digits import is_number_word, spoken_digits
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_LEAST_DIGITS, _MOST_DIGITS = 7, 19
"""Fewest and most digits of all parts together."""

_MOST_OF_PART, _LEAST_BESIDE_WORDS = 6, 3
"""Most digits of a part; a number of more is no part. Fewest of a further part beside other words."""

_MOST_BETWEEN = 2
"""Most turns between two parts."""

_MOST_CHARS = 80
"""Longest turn that is looked at: parts are short."""

_MOST_PARTS = 40
_MOST_WORDS_BETWEEN = 4
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class _Part(NamedTuple):
    """The number words at one end of a cell; ``whole``: there are no others; ``spoken``: some is no figure."""

    start: int
    end: int
    digits: int
    whole: bool
    spoken: bool


def dictated_parts(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], detector: str
) -> dict[int, Finding]:
    """By cell, the part of a dictated number that is not, or not all, found; it may overlap findings.

    Args:
        texts: the cells of one conversation.
        findings: for each cell, disjoint findings sorted by start.
        detector: of the new findings.
    """
    parts: dict[int, Finding] = {}
    reach = -1
    for i, cell in enumerate(findings):
        if i <= reach or not cell or len(texts[i]) > _MOST_CHARS:
            continue
        found = next((f for f in cell if _is_of_number(f)), None)
        if found is None:
            continue
        said = list(_dictated(texts, i, found))
        reach = max([i, *(k for k, _ in said)])
        digits = sum(part.digits for _, part in said)
        if len(said) < 2 or not _LEAST_DIGITS <= digits <= _MOST_DIGITS:
            continue
        if not any(part.spoken for _, part in said):
            continue
        for k, part in said:
            if not any(f.start <= part.start and part.end <= f.end for f in findings[k]):
                parts[k] = Finding(part.start, part.end, found.info_type, Likelihood.POSSIBLE, detector)
    return parts


def _is_of_number(finding: Finding) -> bool:
    return not kind_of(finding.info_type) and finding.info_type not in ("LOCATION", "ORGANIZATION_NAME")


def _dictated(texts: Sequence[str], i: int, found: Finding) -> Iterator[tuple[int, _Part]]:
    """The parts of the number of a finding in cell ``i``, with their cells."""
    last, first = _part(texts[i], at_end=True), _part(texts[i], at_end=False)
    own = last if last and last.start < found.end and found.start < last.end else first
    if own is None or not (own.start < found.end and found.start < own.end):
        return
    yield i, own
    for step, is_open in ((1, own is last or own.whole), (-1, own is first or own.whole)):
        k = i
        for _ in range(_MOST_PARTS if is_open else 0):
            k, before = _next(texts, k, step), k
            # Two turns in a row are two answers; between parts, the listener is heard.
            is_there = 0 <= k < len(texts) and abs(k - before) > 1
            part = _part(texts[k], at_end=step < 0) if is_there else None
            if part is None or not (part.whole or part.digits >= _LEAST_BESIDE_WORDS):
                break
            yield k, part
            if not part.whole:
                break


def _next(texts: Sequence[str], k: int, step: int) -> int:
    """The next cell that is no acknowledgement, or one that is too far; cells without a word are skipped."""
    for _ in range(_MOST_BETWEEN + 1):
        k += step
        if not 0 <= k < len(texts) or not _acknowledges(texts[k]):
            break
    return k


def _acknowledges(text: str) -> bool:
    if len(text) > _MOST_CHARS:
        return False
    said = _WORD.findall(text.casefold())
    return len(said) <= _MOST_WORDS_BETWEEN and _lists()["acknowledgements"].issuperset(said)


def _part(text: str, *, at_end: bool) -> _Part | None:
    """The number words at the beginning or end of a cell."""
    if len(text) > _MOST_CHARS:
        return None
    words = list(_WORD.finditer(text))
    numbers = [is_number_word(word[0].casefold()) for word in words]
    if at_end:
        numbers.reverse()
    count = next((k for k, is_number in enumerate(numbers) if not is_number), len(words))
    if not count:
        return None
    some = [word[0].casefold() for word in (words[-count:] if at_end else words[:count])]
    digits = _digits(some)
    first, last = len(words) - count if at_end else 0, len(words) - 1 if at_end else count - 1
    # "and two five": words that join numbers are no part of them.
    while len(some) > 1 and _digits(some[1:]) == digits:
        some, first = some[1:], first + 1
    while len(some) > 1 and _digits(some[:-1]) == digits:
        some, last = some[:-1], last - 1
    if not 0 < len(digits) <= _MOST_OF_PART:
        return None
    is_spoken = not all(map(str.isdecimal, some))
    return _Part(words[first].start(), words[last].end(), len(digits), count == len(words), is_spoken)


def _digits(said: Sequence[str]) -> str:
    return spoken_digits(" ".join(said)) or "".join(filter(str.isdecimal, "".join(said)))


@built_once
def _lists() -> Mapping[str, frozenset[str]]:
    lists = parse_yaml(files(__package__).joinpath("dictation.yaml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in lists.items()}
