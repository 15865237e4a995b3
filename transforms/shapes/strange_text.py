"""Texts that cannot be searched as they are written: bodies of mail in a transfer encoding, and foreign tokens.

Quoted-printable and base64 hide names from every detector. A token such as ``[RUTH_HALE_19870412]`` would be
taken for one of ours and left as it is. Conversations with either go to quarantine.
"""

import base64
import binascii
import re
from collections.abc import Callable, Sequence

from tacenda.transforms.schema.token import TOKEN, may_have_tokens

ENCODED, FOREIGN_TOKEN = "EncodedText", "ForeignToken"  # error classes

_QUOTED = re.compile(r"=(?:[2-7][0-9A-F]|0[9AD]|[89A-F][0-9A-F])")
_SOFT_BREAK = re.compile(r"=\r?\n")
_SPACE = re.compile(r"(?<=[\w,.;:!?])=20(?!\d+(?![\w=]))(?=[\w=(\r\n])")  # "status=200" has none.
_LEAST_SPACES, _LEAST_QUOTED = 2, 3  # of quoted-printable; other escapes beside a soft break
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/=])(?:[A-Za-z0-9+/]{60,76}\r?\n)+[A-Za-z0-9+/]{2,76}={0,2}(?![A-Za-z0-9+/=])"
)
_DECLARED = re.compile(
    r"content-transfer-encoding:\s*base64|data:text/[\w.+-]+(?:;[\w=-]+)*;base64,", re.IGNORECASE
)
_RUN = re.compile(r"[A-Za-z0-9+/\r\n]{16,}={0,2}")
_LONG = 120  # characters of a text that may hold lines of base64
_MOST_DIGITS = 4  # most digits of the number of a token


def error_of(text: str, personal: Callable[[str], bool]) -> str | None:
    r"""The error class of a text that cannot be searched; None for all others.

    >>> error_of("Ruth=20Hale=2C born=20on =\n1 May", lambda name: False)
    'EncodedText'
    >>> [error_of(f"ask [{t}]", lambda name: name == "Ruth Hale") for t in ("PERSON_NAME_1", "RUTH_HALE_1987")]
    [None, 'ForeignToken']

    Args:
        text: of a cell.
        personal: whether words look like somebody's name.
    """
    if "=" in text and (_is_quoted(text) or _is_base64(text)):
        return ENCODED
    if ("base64" in text or (len(text) > _LONG and "\n" in text)) and _is_base64(text):
        return ENCODED
    if may_have_tokens(text):
        for match in TOKEN.finditer(text):
            if len(match[2]) > _MOST_DIGITS or personal(re.sub("[_$-]+", " ", match[1]).title()):
                return FOREIGN_TOKEN
    return None


def _is_quoted(text: str) -> bool:
    if len(_SPACE.findall(text)) >= _LEAST_SPACES:
        return True
    return _SOFT_BREAK.search(text) is not None and len(_QUOTED.findall(text)) >= _LEAST_QUOTED


def _is_base64(text: str) -> bool:
    found: Sequence[str] = [match[0] for match in _BASE64.finditer(text)]
    if not found and (declared := _DECLARED.search(text)):
        found = [match[0] for match in _RUN.finditer(text, declared.end())]
    return any(map(_holds_text, found))


def _holds_text(encoded: str) -> bool:
    """Whether base64 decodes to text, and not to a picture."""
    letters = "".join(encoded.split()).rstrip("=")
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        said = data.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return sum(map(str.isprintable, said)) + said.count("\n") + said.count("\r") >= 0.95 * len(said)
