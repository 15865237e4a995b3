"""Residual findings: what stays readable after replacement, by gold spans and by a second look.

The second look is the detectors again, at the lowest likelihood, on the replaced text. It lists what to read
first and measures nothing: detectors at their lowest likelihood find much that is harmless, and miss what they
cannot see.

The paper counts a missed organisation or product only if it is "closely related to the speaker" (Gardiner et
al., CALD-pseudo 2024, section 4.1), and its annotators write ``_SPEAKER``. Gold spans and detectors do not
tell, so the words beside a name decide: ``speaker_cues.yaml``.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_REACH = 96
"""Characters of context beside a name."""

_WORD = r"[\w\[\]'’.\-]+"
_NO_NAME = r"(?:about|an?|the|not|just|regarding|for|on|my|your|in|to|that|like)\b|\d"
_WHO = rf"(?!{_NO_NAME}){_WORD}(?:\s+{_WORD}){{0,3}}?"
"""A name of one to four words, or a token; not starting with an article or a digit."""


def is_own(text: str, start: int, end: int) -> bool:
    """Whether the company or product at ``text[start:end]`` is the speaker's own.

    >>> is_own("Dunder Mifflin, this is Pam speaking.", 0, 14), is_own("worse than staples", 11, 18)
    (True, False)
    """
    before, after = _cues()
    said = text[max(0, start - _REACH) : start].casefold()
    return bool(before.search(said) or after.match(text[end : end + _REACH].casefold()))


@built_once
def _cues() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before, and what after, the name of the speaker's own company."""
    languages = data_file(__package__, "speaker_cues.yaml").values()

    def either(side: str) -> str:
        patterns = (cue for cues in languages for cue in cues[side])
        return "|".join(cue.replace("{who}", _WHO).replace(" ", r"\s+") for cue in patterns)

    before = re.compile(rf"(?<!\w)(?:{either('before')})[\s,:;.\-–—\"“'(]*(?:the\s+)?$")
    return before, re.compile(rf"[\s,:;.!\-–—\"”')]*(?:{either('after')})")


_GAP = re.compile(r"[\s.,;:'’/()\-]*")


def second_look_residuals(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], of_speakers: Collection[str] = ()
) -> list[Residual]:
    """Residuals of one conversation.

    A finding is partial if a token of its infoType is directly beside it: part of the value was replaced.

    ``findings`` are those of the second look in the replaced cells, disjoint; ``of_speakers`` the infoTypes
    that score more for the speaker's own data.
    """
    residuals: list[Residual] = []
    for number, (text, cell) in enumerate(zip(texts, findings, strict=True)):
        if not cell:
            continue
        tokens = list(TOKEN.finditer(text))
        begun = {token.start(): token[1] for token in tokens}
        ends = [token.end() for token in tokens]
        reaches = [_gap_end(text, end) for end in ends]
        for finding in cell:
            start, end, info_type = finding.start, finding.end, finding.info_type
            # A gap never extends over a token or a word: only the next token on either side can be beside it.
            before = bisect_right(ends, start) - 1
            partial = begun.get(_gap_end(text, end)) == info_type or (
                before >= 0 and tokens[before][1] == info_type and reaches[before] >= start
            )
            own = info_type in of_speakers and is_own(text, start, end)
            residuals.append(Residual(info_type, text[start:end], partial, own, None, (number, start, end)))
    return residuals


def _gap_end(text: str, start: int) -> int:
    gap = _GAP.match(text, start)
    assert gap is not None, "the pattern matches an empty gap"
    return gap.end()


_RUN = re.compile(r"[^\W_]+")


class Letters:
    """Counts the letters and digits in ranges of a text, by binary search; with ``within``, those in there.

    Ranges are disjoint and sorted; what they begin with is start and end.
    """

    def __init__(self, text: str, within: Sequence[tuple[Any, ...]] | None = None) -> None:
        self._text = text
        self._within = [(0, len(text))] if within is None else [one[:2] for one in within]

    def any_in(self, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` has any; usually the first character is one."""
        return start < end and (self._text[start].isalnum() or self.count(start, end) > 0)

    def count(self, start: int, end: int) -> int:
        """The number in ``text[start:end]``."""
        return self._up_to(end) - self._up_to(start) if start < end else 0

    @cached_property
    def _runs(self) -> tuple[list[int], list[int]]:
        """The start of each run of letters and digits, the counts before each, and the total."""
        runs = [run.span() for limits in self._within for run in _RUN.finditer(self._text, *limits)]
        return [start for start, _ in runs], [0, *accumulate(end - start for start, end in runs)]

    def _up_to(self, place: int) -> int:
        starts, before = self._runs
        run = bisect_left(starts, place)
        return min(before[run], before[run - 1] + place - starts[run - 1]) if run else 0


def cuts_a_word(text: str, replaced: Sequence[Finding]) -> bool:
    """Whether a token replaces only a part of a word, of letters, digits and what patterns count as such.

    Patterns require word boundaries, so they may find in the rest what they did not find in the whole word.
    """
    return any(_CUT.match(text, start) or _CUT.match(text, end) for start, end, *_ in replaced)


_CUT, _CUT_LETTERS = re.compile(r"(?<=[\w@])[\w@]"), re.compile(r"(?<=[^\W_])[^\W_]")


_Kind = tuple[str, Likelihood, str]


def still_readable(unsure: Sequence[Finding], replaced: Sequence[Finding], new_text: str) -> list[Finding]:
    """The parts of findings that no replaced finding covers, as findings in the replaced text.

    ``unsure`` were not replaced; ``replaced`` are disjoint and sorted, and ``new_text`` has a token for each.

    Raises:
        ValueError: there is no token for one of ``replaced``.
    """
    if not unsure:
        return []
    # Runs of unchanged original text: start, end, and by how much they moved.
    runs: list[tuple[int, int, int]] = []
    position = moved = 0
    for finding in replaced:
        runs.append((position, finding.start, moved))
        token = TOKEN.match(new_text, finding.start + moved)
        if token is None:
            raise ValueError("the text does not have the tokens of these findings")
        position, moved = finding.end, token.end() - finding.end
    runs.append((position, len(new_text) - moved, moved))
    letters = Letters(new_text)
    left: list[Finding] = []

    def note(run: int, finding: Finding) -> None:
        start, end, shift = runs[run]
        first, last = max(start, finding.start) + shift, min(end, finding.end) + shift
        if letters.any_in(first, last):
            left.append(finding._replace(start=first, end=last))

    starts, ends = [start for start, _, _ in runs], [end for _, end, _ in runs]
    over: dict[_Kind, list[tuple[int, int, Finding]]] = {}
    for finding in sorted(unsure):
        first, stop = bisect_right(ends, finding.start), bisect_left(starts, finding.end)
        if first < stop:
            note(first, finding)
        if first < stop - 1:
            note(stop - 1, finding)
        if first + 1 < stop - 1:
            kind = finding.info_type, finding.likelihood, finding.detector
            over.setdefault(kind, []).append((first + 1, stop - 1, finding))
    # One finding of each kind over a whole run is enough, however many there are.
    for several in over.values():
        reached = 0
        for first, stop, finding in sorted(several):
            for run in range(max(first, reached), stop):
                note(run, finding)
            reached = max(reached, stop)
    return left


_LONG_NAME = 4
"""Words of a text that is longer than a full name."""


def gold_residuals(
    texts: Sequence[str],
    spans: Sequence[Sequence[AnnotatedSpan]],
    findings: Sequence[Sequence[Finding]],
    of_speakers: Collection[str] = (),
) -> list[Residual]:
    """The parts of one conversation's gold spans that stay readable.

    A span is covered if all its letters and digits are under findings, missed if none are, and missed in part
    if some are. Punctuation and white space at the edges of a span identify nobody and do not count.

    Findings are disjoint and sorted by start; ``of_speakers`` are labels that score more for the speaker's
    own data.
    """
    residuals: list[Residual] = []
    for cell, (text, cell_spans, cell_findings) in enumerate(zip(texts, spans, findings, strict=True)):
        letters, covered = Letters(text), Letters(text, cell_findings)
        for start, end, label, entity in cell_spans:
            whole = letters.count(start, end)
            left = whole - covered.count(start, end)
            if left:
                own = label in of_speakers and is_own(text, start, end)
                of = text[start:end], left < whole, own, entity, (cell, start, end)
                residuals.append(Residual(label, *of))
    return residuals


def outside_gold(findings: Sequence[Finding], spans: Sequence[AnnotatedSpan]) -> int:
    """The number of findings in a cell, disjoint and sorted, that touch no gold span of any label."""
    starts, ends = [finding.start for finding in findings], [finding.end for finding in findings]
    touched = [0] * (len(findings) + 1)
    for span in spans:
        first, behind = bisect_right(ends, span.start), bisect_left(starts, span.end)
        if first < behind:
            touched[first] += 1
            touched[behind] -= 1
    return sum(not depth for depth in accumulate(touched[:-1]))


def same_as_gold(findings: Sequence[Finding], spans: Sequence[AnnotatedSpan]) -> int:
    """The number of findings in a cell that begin and end where a gold span does."""
    return len({finding[:2] for finding in findings} & {span[:2] for span in spans})


def cut_spans(text: str, spans: Sequence[AnnotatedSpan]) -> int:
    """The number of a cell's spans that begin or end within a word, as byte offsets do that are read as
    characters.
    """
    cuts = (_CUT_LETTERS.match(text, start) or _CUT_LETTERS.match(text, end) for start, end, *_ in spans)
    return sum(cut is not None for cut in cuts)


def joins_unlike(texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]]) -> bool:
    """Whether one entity id of a conversation stands for full names that share no word.

    An export that gives every span the id ``PERSON`` makes one entity of all people.
    """
    values: dict[str, set[str]] = {}
    for text, several in zip(texts, spans, strict=True):
        for start, end, _, entity in several:
            words = text[start:end].casefold().split()
            is_full = 1 < len(words) < _LONG_NAME and all(len(one) > 1 and one.isalpha() for one in words)
            if entity and is_full:
                known = values.setdefault(entity, set(words))
                if known.isdisjoint(words):
                    return True
                known.update(words)
    return False
