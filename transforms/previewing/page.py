"""Conversations before and after as one HTML file, without network or scripts.

Radio buttons at the top choose the colours of mentions; pointing at or clicking a mention highlights all of
its entity. The style sheet does both. Every text is escaped.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import chain
from typing import Any, NamedTuple
from unicodedata import bidirectional

from markupsafe import Markup

from tacenda.transforms.previewing.conversation import WARNING, Piece, Previewed
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import visible
from tacenda.transforms.text.html_page import page_environment

GOLDEN_ANGLE = 137.508
"""Degrees: successive colours at this distance on the colour circle stay apart, however many there are."""

_FIRST_HUE = 205.0
_LIKELIHOOD_HUES = {
    "–": 265,
    "VERY_UNLIKELY": 0,
    "UNLIKELY": 22,
    "POSSIBLE": 48,
    "LIKELY": 95,
    "VERY_LIKELY": 150,
}
_UNLIT = 0
"""The number that no entity has."""


class Key(NamedTuple):
    """One colour of a legend: its hue, its meaning, and its number of mentions."""

    hue: int
    name: str
    mentions: int


def render(conversations: Sequence[Previewed], facts: Sequence[tuple[str, str]]) -> str:
    """The page as HTML.

    Args:
        conversations: cut into pieces.
        facts: the page's metadata, as names and values.
    """
    mentions = [mention for one in conversations for mention, _ in one.mentions()]
    named = {
        "infoType": [m.info_type for m in mentions],
        "likelihood": [m.likelihood or "–" for m in mentions],
        "detector": [m.detector for m in mentions],
    }
    types, detectors = _hues(named["infoType"]), _hues(named["detector"])
    hues = {"infoType": types, "likelihood": _LIKELIHOOD_HUES, "detector": detectors}
    keys = {name: _legend(named[name], hues[name]) for name in named}

    def mark(piece: Piece, *, replaced: bool) -> Markup:
        text = Markup.escape(visible(piece.text))
        if piece.mention is None:
            return text
        m = piece.mention
        told = " · ".join(filter(None, (m.info_type, m.likelihood, m.detector, f"entity {m.entity}")))
        likely = _LIKELIHOOD_HUES[m.likelihood or "–"]
        of_mention = (hue_of(m.entity), types[m.info_type], likely, detectors[m.detector])
        style = ";".join(f"--{name}:{hue}" for name, hue in zip("etld", of_mention, strict=True))
        empty = "" if piece.text else " empty"
        return Markup('<mark class="e{}{}{}" style="{}" tabindex="0" data-told="{}">{}</mark>').format(
            m.entity, " new" if replaced else "", empty, style, visible(told), text
        )

    page: str = _template().render(
        conversations=conversations,
        facts=facts,
        keys=keys,
        mark=mark,
        hue_of=hue_of,
        direction=_direction,
        warning=WARNING,
        numbers=sorted({mention.entity for mention in mentions} - {_UNLIT}),
        style=Markup((files(__package__) / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
    )
    return page


def hue_of(number: int) -> int:
    """The hue of the nth colour, in degrees."""
    return round(_FIRST_HUE + (number - 1) * GOLDEN_ANGLE) % 360


def _direction(pieces: Sequence[Piece]) -> str:
    """The direction of a text before replacement, by its first strong character (UAX 9, rule P2).

    A token in place of the first word would change the direction of the text after replacement.
    """
    for character in chain.from_iterable(piece.text for piece in pieces):
        kind = bidirectional(character)
        if kind in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return "auto"


def _hues(names: Sequence[str]) -> dict[str, int]:
    """A hue for each name; the most frequent ones are farthest apart."""
    ordered = sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))
    return {name: hue_of(i) for i, (name, _) in enumerate(ordered, 1)}


def _legend(names: Sequence[str], hues: Mapping[str, int]) -> list[Key]:
    order = {name: -i for i, name in enumerate(["–", *(one.name for one in Likelihood)])}
    return [
        Key(hues[name], name, count)
        for name, count in sorted(
            Counter(names).items(), key=lambda pair: (order.get(pair[0], 0), -pair[1], pair[0])
        )
    ]


@built_once
def _template() -> Any:
    return page_environment().from_string((files(__package__) / "page.html.j2").read_text("utf-8"))
