"""Halves: a given and a family name that one speaker says apart: *Gaston, last name Dubois*."""

from collections.abc import Sequence

from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import Name, half_before

_REACH, _TURNS = 32, 6
"""Characters before a name in which it may be announced; cells before it in which the other half may be."""
_ANSWER = 12
"""Characters beside a name in a turn that is the answer to a question for it."""


def tied_halves(
    people: Sequence[tuple[Mention, int, Name]], texts: Sequence[str], speakers: Sequence[str | None]
) -> dict[int, int]:
    """The cluster of the first half, for the cluster of each second one.

    A second half is announced right before it, or asked for right before an answer that it begins. The first
    is the last single name before it of the same speaker.

    Args:
        people: mention, cluster and name of all people of a conversation, in their order.
        texts: its cells.
        speakers: who says each of them.
    """
    whole = {cluster for _, cluster, name in people if len(name.words) != 1 or name.title}
    single = [(m, cluster) for m, cluster, _ in people if cluster not in whole and m.finding is not None]
    tied: dict[int, int] = {}
    for number, (mention, cluster) in enumerate(single):
        if cluster not in tied and _is_announced(mention, texts):
            before = (
                other
                for one, other in reversed(single[:number])
                if other != cluster
                and mention.cell - one.cell <= _TURNS
                and _may_be_own(one, mention, texts, speakers)
            )
            first = next(before, cluster)
            if first != cluster and first not in tied.values() and first not in tied:
                tied[cluster] = first
    return tied


def _may_be_own(one: Mention, other: Mention, texts: Sequence[str], speakers: Sequence[str | None]) -> bool:
    """Whether who says the other name has said this one of the same person: beside it, or as an answer."""
    assert one.finding is not None
    assert other.finding is not None
    if one.cell == other.cell:
        return other.finding.start - one.finding.end <= _REACH
    return speakers[one.cell] == speakers[other.cell] and len(texts[one.cell]) - len(one.text) <= _ANSWER


def _is_announced(mention: Mention, texts: Sequence[str]) -> bool:
    assert mention.finding is not None
    before = texts[mention.cell][: mention.finding.start][-_REACH:]
    asked = texts[mention.cell - 1][-_REACH:] if mention.cell else ""
    return half_before().search(before if any(map(str.isalnum, before)) else asked) is not None
