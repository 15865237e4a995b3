"""Drop listed names of one ordinary word where a network has read the text and sees none there.

Many words of the lists are other words, too. A user's own lists are rules, and are not judged here; nor is
anything where no network runs.
"""

from collections.abc import Sequence

from tacenda.transforms.detecting.faint import band_of
from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.schema.finding import Finding

_LISTS, _NETWORK = "gazetteer", "model"


def second_witness(
    texts: Sequence[str], findings: Sequence[list[Finding]], doubtful: Sequence[Sequence[Finding]]
) -> list[list[Finding]]:
    """The findings of one conversation, without listed single words that nothing else bears out.

    A word that is no word of a language stays. Another is borne out by any other detector's finding that it
    overlaps, by one that the network was not sure of, or by the same word in another detector's finding
    elsewhere in the conversation.

    Args:
        texts: the cells.
        findings: those of each cell, before any pass.
        doubtful: what the network found in each cell and was not sure of, however unlikely.
    """
    if not any(finding.detector == _LISTS for cell in findings for finding in cell):
        return list(findings)
    known = {
        word
        for text, cell in zip(texts, findings, strict=True)
        for finding in cell
        if finding.detector != _LISTS
        for word in text[finding.start : finding.end].lower().split()
    }
    return [
        [
            f
            for f in cell
            if f.detector != _LISTS or _is_borne_out(text[f.start : f.end], f, known, cell, unsure)
        ]
        for text, cell, unsure in zip(texts, findings, doubtful, strict=True)
    ]


def _is_borne_out(
    said: str, finding: Finding, known: set[str], cell: Sequence[Finding], doubtful: Sequence[Finding]
) -> bool:
    words = said.lower().split()
    if len(words) > 1 or words[0] in known or not _is_of_a_language(words[0]):
        return True
    others = [other for other in cell if other.detector != _LISTS]
    others += [
        other for other in doubtful if other.detector == _NETWORK or band_of(other.detector) is not None
    ]
    return any(other.start < finding.end and finding.start < other.end for other in others)


def _is_of_a_language(word: str) -> bool:
    lists = lexicon()
    return bool(lists.word[int(lists.kinds_of([word])[0])].any())
