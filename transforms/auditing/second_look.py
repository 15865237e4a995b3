"""Residual findings by a second look: the detectors again, at the lowest likelihood, over replaced text.

Where nobody annotated a conversation, this is the only view of what is left. It is a floor: what the detectors
cannot see at any likelihood is not in it.
"""

import re
from collections.abc import Sequence

from transforms.schema.finding import Finding
from transforms.schema.residual import Residual
from transforms.schema.token import TOKEN

_GAP = re.compile(r"[\s.,;:'’/()\-]*")
_WORDS = re.compile(r"\w+")


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
        tokens = [(m.start(), m.end(), m[1]) for m in TOKEN.finditer(text)]
        for finding in cell:
            value = text[finding.start : finding.end]
            lone_name = finding.info_type == "PERSON_NAME" and len(_WORDS.findall(value)) == 1
            partial = lone_name or any(
                info_type == finding.info_type
                and (
                    (end <= finding.start and _GAP.fullmatch(text, end, finding.start))
                    or (start >= finding.end and _GAP.fullmatch(text, finding.end, start))
                )
                for start, end, info_type in tokens
            )
            residuals.append(Residual(finding.info_type, value, partial=partial))
    return residuals
