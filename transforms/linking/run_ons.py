"""Run-ons: names of two people that were found as one, where a transcript has no comma between them."""

from collections.abc import Collection, Iterator, Sequence

from tacenda.transforms.linking.introductions import addresses, introduces
from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.propagation.guards import facts

_LEAST_GIVEN = 2
"""The level from which on the lists have a word as a given name, and not only somewhere."""


def without_run_ons(
    mentions: Sequence[Mention], texts: Sequence[str], people: Collection[str]
) -> list[Mention] | None:
    """The mentions with the names of two people apart; None where there is nothing to part.

    *You have ximena qiang left for lunch*: Qiang is called so alone, by a label or where somebody introduces or
    addresses him, which nobody does by a family name without a title; and Ximena is named alone, too.

    Args:
        mentions: those of one conversation.
        texts: its cells.
        people: the infoTypes of people's names.
    """
    names = [mention for mention in mentions if mention.info_type in people]
    alone = {mention.text.casefold() for mention in names if " " not in mention.text.strip()}
    if len(alone) < 2:
        return None
    apart: list[Mention] = []
    for mention in mentions:
        cuts: list[int] = []
        if mention.finding is not None and mention.info_type in people and " " in mention.text:
            words = mention.text.casefold().split(" ")
            if words[0] in alone:
                cuts = [
                    k
                    for k in range(1, len(words))
                    if words[k] in alone and _is_called(words[k], names, texts)
                ]
        apart += _parts(mention, cuts) if cuts else (mention,)
    return apart if len(apart) > len(mentions) else None


def _is_called(word: str, names: Sequence[Mention], texts: Sequence[str]) -> bool:
    """Whether somebody is called by a word alone as by a given name."""
    known = facts(word)
    is_given = known.given >= max(_LEAST_GIVEN, known.family)
    return any(
        name.finding is None or (is_given and (addresses(name, texts) or introduces(name, texts)))
        for name in names
        if name.text.casefold() == word
    )


def _parts(mention: Mention, cuts: Sequence[int]) -> Iterator[Mention]:
    finding = mention.finding
    assert finding is not None
    words = mention.text.split(" ")
    for first, last in zip((0, *cuts), (*cuts, len(words)), strict=True):
        start = finding.start + sum(len(word) + 1 for word in words[:first])
        text = " ".join(words[first:last])
        yield mention._replace(text=text, finding=finding._replace(start=start, end=start + len(text)))
