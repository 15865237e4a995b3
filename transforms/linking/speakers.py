"""Speaker labels: which of them are names, and where those names stand in the text.

A label is personal data unless it is a known role: ``Pam`` and ``Pam Beesly`` are names, ``agent`` and
``Speaker 2`` are not. Known roles are data (``roles.yaml``); everything else is taken for a name, because a
role that is masked costs little and a name that is kept costs a person.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

DETECTOR = "speaker_label"
_SEPARATORS = re.compile(r"[\s_.\-]+")
_MIN_PROPAGATED_CHARS = 3
_MOST_PROPAGATED_CHARS = 256
"""A longer label is no name that anybody says; its parts are still looked for. Without a bound, looking for it
takes the product of both lengths in a text that is full of it."""
_MOST_DIGITS = 4
"""Of the number of a speaker; longer ones are of phones, customers and cards."""
_JOINTS = re.compile(r"[\s_.,;:/&+@()\-]+")
"""What stands between the names of a label, as in Pam_Beesly or Beesly,Pam."""
_WORD = re.compile(r"\w+")
_WORD_OR_SIGN = re.compile(r"\w+|\W")
_FEW = 32
"""Names up to which looking for each in the whole text is quicker than looking at each of its words."""


@built_once
def _role_pattern() -> re.Pattern[str]:
    roles = parse_yaml(files("tacenda.transforms.linking").joinpath("roles.yaml").read_text(encoding="utf-8"))
    exact = "|".join(map(re.escape, roles["exact"]))
    numbered = "|".join(map(re.escape, roles["numbered"]))
    count = f"[0-9]{{1,{_MOST_DIGITS}}}"
    return re.compile(rf"(?:{exact}|(?:{numbered})(?: ?{count}| [a-z])?|[a-z]|{count})")


@lru_cache(maxsize=4096)
def is_role(label: str) -> bool:
    """Whether a speaker label names a part in the conversation and nobody in particular.

    >>> is_role("Agent"), is_role("speaker_2"), is_role("B"), is_role("Pam")
    (True, True, True, False)
    """
    folded = _SEPARATORS.sub(" ", label.casefold()).strip(" :")
    return not folded or bool(_role_pattern().fullmatch(folded)) or bool(TOKEN.fullmatch(label.strip()))


def named_speakers(labels: Iterable[str | None]) -> list[str]:
    """The distinct labels that are names, in order of appearance."""
    return [label for label in dict.fromkeys(labels) if label is not None and not is_role(label)]


def find_speaker_names(texts: Sequence[str], names: Sequence[str]) -> list[list[Finding]]:
    """Where the speakers of one conversation are named in its cells.

    Looks for the whole label and for each capitalised part of it (``Lynne`` of ``Lynne Neagle AM`` and of
    ``Neagle,Lynne``), as whole words. Parts match as they are written only: ``Will`` the speaker is not
    ``will`` the verb.

    Args:
        texts: the cells of one conversation.
        names: its labels that are names, from :func:`named_speakers`.

    Returns:
        One list of PERSON_NAME findings a cell.
    """
    found: list[list[Finding]] = [[] for _ in texts]
    everything = "\n".join(texts)
    places = sorted(_places(everything, _written_forms(tuple(names))))
    if not places:
        return found
    first_characters = [0, *accumulate([len(text) + 1 for text in texts])]
    reach = 0
    for start, _, end in places:
        cell = bisect_right(first_characters, start) - 1
        first = first_characters[cell]
        if start < reach or end - first > len(texts[cell]):
            continue
        found[cell].append(Finding(start - first, end - first, "PERSON_NAME", Likelihood.LIKELY, DETECTOR))
        reach = end
    return found


def _places(text: str, names: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Start, rank and end of names wherever they stand as whole words."""
    if len(names) > _FEW:
        yield from _places_by_words(text, names)
        return
    # Plain searches: compiling a pattern for each conversation took longer than all else that is done here.
    for rank, name in enumerate(names):
        yield from _places_of_one(text, name, rank)


def _places_by_words(text: str, names: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The same in one pass: at each word or sign with which names begin, one look for each of their lengths."""
    ranks = {name: rank for rank, name in enumerate(names)}
    lengths: dict[str, set[int]] = {}
    for name in names:
        if begins := _WORD_OR_SIGN.match(name):
            lengths.setdefault(begins[0], set()).add(len(name))
    for match in _WORD_OR_SIGN.finditer(text):
        start = match.start()
        for length in lengths.get(match[0], ()):
            end = start + length
            rank = ranks.get(text[start:end]) if end <= len(text) else None
            if rank is not None and _stands_apart(text, start, end):
                yield start, rank, end


def _places_of_one(text: str, name: str, rank: int) -> Iterator[tuple[int, int, int]]:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        if _stands_apart(text, start, end):
            yield start, rank, end
        start = text.find(name, start + 1)


def _stands_apart(text: str, start: int, end: int) -> bool:
    return not (_WORD.match(text[start - 1 : start]) or _WORD.match(text[end : end + 1]))


@lru_cache(maxsize=4096)
def _written_forms(names: tuple[str, ...]) -> tuple[str, ...]:
    """Whole labels and their capitalised parts, the longest first, so that the longest match wins."""
    written: dict[str, None] = {}
    for name in names:
        stripped = name.strip(" :")
        if _MIN_PROPAGATED_CHARS <= len(stripped) <= _MOST_PROPAGATED_CHARS:
            written[stripped] = None
        # Anne-Marie is a part, too: somebody may be called by all of a double name or by half of it.
        for part in (*stripped.split(), *_JOINTS.split(stripped)):
            word = part.strip(".,;:()[]\"'")
            may_be_said = _MIN_PROPAGATED_CHARS <= len(word) <= _MOST_PROPAGATED_CHARS
            if may_be_said and word[0].isupper() and not is_role(word):
                written[word] = None
    return tuple(sorted(written, key=lambda name: (-len(name), name)))
