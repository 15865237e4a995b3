"""Lone surrogates: JSON can escape half of a surrogate pair, which has no UTF-8 form."""

import re

HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def made_whole(text: str) -> str:
    """The text with U+FFFD in place of each lone surrogate, so that offsets do not change."""
    return text if text.isascii() else HALF_CHARACTER.sub("\ufffd", text)
