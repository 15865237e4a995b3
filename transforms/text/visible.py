"""Show text safely: characters that would change how other text is displayed become escape sequences."""

import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_HARMLESS = frozenset("\n\t\u200c\u200d")  # line, tab, and the joiners that some scripts are spelled with


def visible(text: str) -> str:
    r"""A text with every control, formatting or unpaired character escaped.

    Otherwise, a right-to-left override would reverse the text beside it, and an escape sequence would control
    a terminal.

    >>> visible("a\x1b[2J\u202eb")
    'a\\u001b[2J\\u202eb'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"\\u{ord(character):04x}"
        if unicodedata.category(character) in _UNSEEN and character not in _HARMLESS
        else character
        for character in text
    )
