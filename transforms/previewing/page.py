"""Conversations before and after as one HTML file, without network or scripts.

Each entity has a colour; pointing at or clicking a mention highlights all of its entity, by the style sheet
alone. Every text is escaped.
"""

from collections.abc import Sequence
from importlib.resources import files
from itertools import chain
from unicodedata import bidirectional

from markupsafe import Markup

from tacenda.transforms.previewing.conversation import WARNING, Piece, Previewed
from tacenda.transforms.text.characters import visible
from tacenda.transforms.text.html_page import page_environment

GOLDEN_ANGLE = 137.508
"""Degrees: successive colours at this distance on the colour circle stay apart, however many there are."""

_FIRST_HUE = 205.0


def render(conversations: Sequence[Previewed], facts: Sequence[tuple[str, str]]) -> str:
    """The page as HTML.

    Args:
        conversations: cut into pieces.
        facts: the page's metadata, as names and values.
    """
    template = page_environment().from_string((files(__package__) / "page.html.j2").read_text("utf-8"))
    return template.render(
        conversations=conversations,
        facts=facts,
        mark=mark,
        direction=_direction,
        warning=WARNING,
        numbers=sorted(set().union(*(one.numbers() for one in conversations))),
        style=Markup((files(__package__) / "page.css").read_text("utf-8")),  # noqa: S704 - our own file
    )


def mark(piece: Piece, *, replaced: bool) -> Markup:
    """A piece as HTML: what mentions an entity has its colour, and says what it is."""
    text = Markup.escape(visible(piece.text))
    if piece.mention is None:
        return text
    m = piece.mention
    told = " · ".join(filter(None, (m.info_type, m.likelihood, m.detector, f"entity {m.entity}")))
    kind = f"e{m.entity}{' new' if replaced else ''}{'' if piece.text else ' empty'}"
    return Markup('<mark class="{}" style="--h:{}" tabindex="0" data-told="{}">{}</mark>').format(
        kind, hue_of(m.entity), visible(told), text
    )


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
