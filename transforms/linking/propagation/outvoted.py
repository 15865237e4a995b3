"""Doubtful names that the conversation speaks against: found once, and passed over wherever else they stand.

A network judges every mention of a word by the words around it. If it takes one of them for a name, with little
confidence, and at least twice as many for none, the many are more likely right: "Ausland" in a law is no place.
Without this, propagation would extend the one mistake to all of them.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_NAMES = frozenset(("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"))
_JUDGES = frozenset(("model", "gazetteer"))
"""Detectors that look at every word; rules and lists of the user only say what they know."""

_MAJORITY = 2
"""How many times as often a word must be passed over as it is found."""

OfCells = Sequence[tuple[int, list[Finding]]]


def without_outvoted(
    texts: Sequence[str], findings: Sequence[list[Finding]], mentions: OfCells
) -> tuple[list[list[Finding]], OfCells]:
    """The findings and propagated mentions of a conversation, less those of single words that are outvoted.

    Args:
        texts: its cells.
        findings: those of the detectors in each cell.
        mentions: what propagation found besides, in some cells.

    >>> text = "Das Ausland. Im Ausland und vom Ausland."
    >>> found = [[Finding(4, 11, "LOCATION", Likelihood.POSSIBLE, "model")]]
    >>> more = [Finding(at, at + 7, "LOCATION", Likelihood.LIKELY, "propagation") for at in (16, 32)]
    >>> without_outvoted([text], found, [(0, more)])
    ([[]], [])
    """
    passed_over = Counter(
        texts[cell][one.start : one.end]
        for cell, several in mentions
        for one in several
        if one.info_type in _NAMES and texts[cell][one.start : one.end].isalpha()
    )
    if not passed_over:
        return list(findings), mentions
    seen: defaultdict[str, list[Finding]] = defaultdict(list)
    for text, several in zip(texts, findings, strict=True):
        for one in several:
            if (word := text[one.start : one.end]) in passed_over:
                seen[word].append(one)
    outvoted = {
        word
        for word, several in seen.items()
        if passed_over[word] >= _MAJORITY * len(several) and all(map(_is_doubtful, several))
    }
    if not outvoted:
        return list(findings), mentions
    kept = [
        [one for one in several if text[one.start : one.end] not in outvoted]
        for text, several in zip(texts, findings, strict=True)
    ]
    left = (
        (cell, [one for one in several if texts[cell][one.start : one.end] not in outvoted])
        for cell, several in mentions
    )
    return kept, [(cell, several) for cell, several in left if several]


def _is_doubtful(finding: Finding) -> bool:
    return (
        finding.info_type in _NAMES
        and finding.detector in _JUDGES
        and finding.likelihood <= Likelihood.POSSIBLE
    )
