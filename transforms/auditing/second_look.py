"""Residual findings by a second look: the detectors again, at the lowest likelihood, over replaced text.

Where nobody annotated a conversation, this is the only view of what is left. It is a floor: what the detectors
cannot see at any likelihood is not in it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.schema.token import TOKEN

_GAP = re.compile(r"[\s.,;:'’/()\-]*")
_WORDS = re.compile(r"[^\W_]+(?:['’\-\u2010\u2011][^\W_]+)*")
"""O'Brien and Anne-Marie are one word each."""


def second_look_residuals(texts: Sequence[str], findings: Sequence[Sequence[Finding]]) -> list[Residual]:
    """Residuals of one conversation.

    A finding is partial when a token of its own infoType stands right beside it (part of the datum was
    replaced), and a PERSON_NAME of a single word always is: a lone first or last name is a part of a name
    (Gardiner et al., CALD-pseudo 2024, section 4.1).

    Args:
        texts: the replaced cells of one conversation.
        findings: the disjoint findings of the second look in each cell.
    """
    residuals: list[Residual] = []
    for text, cell in zip(texts, findings, strict=True):
        if not cell:
            continue
        tokens = list(TOKEN.finditer(text))
        begun = {token.start(): token[1] for token in tokens}
        ends = [token.end() for token in tokens]
        reaches = [_gap_end(text, end) for end in ends]
        for finding in cell:
            value = text[finding.start : finding.end]
            lone_name = finding.info_type == "PERSON_NAME" and _is_one_word(value)
            # No gap leads over a token or a word, so only the next token on either side can be beside it.
            before = bisect_right(ends, finding.start) - 1
            partial = (
                lone_name
                or begun.get(_gap_end(text, finding.end)) == finding.info_type
                or (
                    before >= 0
                    and tokens[before][1] == finding.info_type
                    and reaches[before] >= finding.start
                )
            )
            residuals.append(Residual(finding.info_type, value, partial=partial))
    return residuals


def _is_one_word(value: str) -> bool:
    # Marks are no letters to a pattern: accents that stand by themselves, the vowels of many scripts.
    letters = "".join(c for c in value if c.isascii() or unicodedata.category(c)[0] != "M")
    return len(_WORDS.findall(letters)) == 1


def _gap_end(text: str, start: int) -> int:
    gap = _GAP.match(text, start)
    assert gap is not None, "a gap may be empty"
    return gap.end()
