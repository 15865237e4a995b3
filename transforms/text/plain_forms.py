"""Digits of all scripts as 0 to 9, and full-width forms as ASCII, one to one, so that offsets do not change.

Patterns, check digits and hotwords are written in ASCII; searched in this form, they also find a number typed
in Devanagari digits or an address typed in full-width letters.
"""

import re

from tacenda.transforms.storage.process_cache import built_once

_FORM = re.compile(r"[^\x00-\u065f\D]|[\uff20-\uff3a\uff41-\uff5a]")
"""Digits beyond ASCII, full-width letters and ``@``; full-width punctuation alone is usual in Chinese text."""
_WIDE = range(0xFF01, 0xFF5F)
"""Full-width forms of ``!`` to ``~``."""
_TO_ASCII = 0xFEE0
_LAST_SCRIPT = 0x20000
"""No digit has a code point from here on."""


def has_forms(text: str) -> bool:
    """Whether a text has a digit of another script or a full-width letter.

    >>> has_forms("٠٥٠"), has_forms("050")
    (True, False)
    """
    return not text.isascii() and _FORM.search(text) is not None


def in_plain_forms(text: str) -> str:
    """The text with these and full-width punctuation replaced; as many code points as before.

    >>> in_plain_forms("ｔｅｌ：०９８")
    'tel:098'
    """
    return text.translate(_table()) if has_forms(text) else text


@built_once
def _table() -> dict[int, str]:
    digits = {code: chr(code) for code in range(0x660, _LAST_SCRIPT) if chr(code).isdecimal()}
    return {
        0x3000: " ",
        **{code: chr(code - _TO_ASCII) for code in _WIDE},
        **{code: str(int(digit)) for code, digit in digits.items()},
    }
