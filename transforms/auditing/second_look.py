"""Residual findings by a second look: the detectors again, at the lowest likelihood, on the replaced text.

It lists what to read first and measures nothing: detectors at their lowest likelihood find much that is
harmless, and miss what they cannot see.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

from tacenda.transforms.auditing.speaker_cues import is_own
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.schema.token import TOKEN

_GAP = re.compile(r"[\s.,;:'’/()\-]*")


def second_look_residuals(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], of_speakers: Collection[str] = ()
) -> list[Residual]:
    """Residuals of one conversation.

    A finding is partial if a token of its infoType is directly beside it: part of the value was replaced.

    Args:
        texts: the replaced cells of one conversation.
        findings: the disjoint findings of the second look in each cell.
        of_speakers: infoTypes that score more for the speaker's own data (``speaker_cues``).
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
            # A gap never extends over a token or a word, so only the next token on either side can be beside
            # it.
            before = bisect_right(ends, start) - 1
            partial = begun.get(_gap_end(text, end)) == info_type or (
                before >= 0 and tokens[before][1] == info_type and reaches[before] >= start
            )
            own = info_type in of_speakers and is_own(text, start, end)
            place = number, start, end
            residuals.append(Residual(info_type, text[start:end], partial, own, None, place))
    return residuals


def _gap_end(text: str, start: int) -> int:
    gap = _GAP.match(text, start)
    assert gap is not None, "the pattern matches an empty gap"
    return gap.end()
