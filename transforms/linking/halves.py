"""Halves: clusters of single names that are a given and a family name of one person.

What ties two of them together, and how sure that is (``agreements`` of ``names.yaml``):

- ``said_apart``: *Gaston, last name Dubois*, or the answer to a question after the other half. The first one is
  the last single name before it: right before it, or the same speaker's answer or introduction.
- ``asked_for``: *may I speak to Ms Bose?* and *Tarun speaking*. One speaker gives a single name as her own,
  others say a title and a family name to somebody on the line, and no other single name may be meant. Whether
  Tarun is a woman's name makes no difference: no list of names is asked.

Two people of one family name stay two: their names are whole, and only single names are tied.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacenda.transforms.linking.introductions import REACH, Person, addresses, cues, introduces
from tacenda.transforms.linking.mention import Mention

_TURNS = 6
"""Cells before one half in which the speaker may have said the other."""
_ANSWER = 12
"""Characters beside a name in a turn that is the answer to a question for it."""


class Tie(NamedTuple):
    """Two clusters that are one person, the one mentioned first before the other, and how that is known."""

    cluster: int
    other: int
    how: str


def tied_halves(
    people: Sequence[Person], texts: Sequence[str], speakers: Sequence[str | None]
) -> Iterator[Tie]:
    """The clusters of single names that are one person.

    Args:
        people: the mentions of people in one conversation, in their order.
        texts: its cells.
        speakers: who says each of them.
    """
    whole = {person.cluster for person in people if len(person.name.words) != 1}
    single = [person for person in people if person.cluster not in whole]
    if len({person.cluster for person in single}) < 2:
        return
    tied: set[int] = set()
    for tie in _said_apart(single, texts, speakers):
        if tied.isdisjoint(tie[:2]):
            tied.update(tie[:2])
            yield tie
    yield from _asked_for([person for person in single if person.cluster not in tied], texts, speakers)


def _said_apart(
    single: Sequence[Person], texts: Sequence[str], speakers: Sequence[str | None]
) -> Iterator[Tie]:
    for position, person in enumerate(single):
        finding, cell = person.mention.finding, person.mention.cell
        if finding is None or person.name.title:
            continue
        before = texts[cell][max(0, finding.start - REACH) : finding.start]
        asked = texts[cell - 1][-REACH:] if cell and not any(map(str.isalnum, before)) else ""
        if not (cues().half.search(before) or cues().half_asked.search(asked)):
            continue
        for other in reversed(single[:position]):
            if cell - other.mention.cell > _TURNS:
                break
            if other.cluster == person.cluster or other.name.title or other.mention.finding is None:
                continue
            if _is_other_half(other.mention, person.mention, texts, speakers):
                yield Tie(other.cluster, person.cluster, "said_apart")
            break


def _is_other_half(one: Mention, cued: Mention, texts: Sequence[str], speakers: Sequence[str | None]) -> bool:
    """Whether a name that was said before another with a cue may be the same speaker's own."""
    assert one.finding is not None
    assert cued.finding is not None
    if one.cell == cued.cell:
        return cued.finding.start - one.finding.end <= REACH
    is_answer = len(texts[one.cell]) - len(one.text) <= _ANSWER
    return speakers[one.cell] == speakers[cued.cell] and (is_answer or introduces(one, texts))


def _asked_for(
    single: Sequence[Person], texts: Sequence[str], speakers: Sequence[str | None]
) -> Iterator[Tie]:
    titled = {person.cluster for person in single if person.name.title}
    plain = {person.cluster for person in single} - titled
    asked = {p.cluster for p in single if p.cluster in titled and addresses(p.mention, texts)}
    if len(asked) != 1 or len(plain) != 1:
        return
    hers = {
        speakers[person.mention.cell]
        for person in single
        if person.cluster in plain and introduces(person.mention, texts)
    }
    if len(hers) != 1 or None in hers:
        return
    if all(speakers[person.mention.cell] not in hers for person in single if person.cluster in asked):
        first, second = dict.fromkeys(p.cluster for p in single if p.cluster in asked | plain)
        yield Tie(first, second, "asked_for")
