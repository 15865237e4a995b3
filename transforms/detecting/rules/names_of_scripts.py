"""Cut what stands beside a form of address or an introduction to the name, in scripts other than Latin.

Most of these have no capitals, some no spaces: what is no name is told by a list, ``not_names_uncased``.
"""

import re

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.storage.process_cache import built_once

Cut = tuple[int, int] | None
"""The range of the name within the given text, or None."""

_RUN = re.compile(r"[^\s,،、。!?؟।\"()\[\]]+")
_THAI_ENDS = re.compile("ครับ|ค่ะ|คะ$|และ|เป็น|จาก|อยู่|โทร")
_LEAST_THAI = 2
_HAN_NO_GIVEN = frozenset(
    "的了是在和与與有不也就们們这這那我你他她它您很都要会會能说說被把对對从從到为為以及或并並等着著过過给給让讓一个個上下中人"
)
"""Characters of grammar, which no given name has."""
_CHINESE_ONLY = frozenset("的了是这這们們为為与與等被把没沒")
_SURNAMES_OF_ONE = frozenset("東関辻堀菅林森原岸星南北西谷岡泉沖島平浜橋堤秦柳畑城滝脇榊椎楠")
_KANJI = re.compile("[㐀-鿿]+")


def uncased_name(text: str) -> Cut:
    """The words up to the next that is no name, without such words before."""
    words = list(_RUN.finditer(text))
    while words and _is_no_name(words[0][0]):
        del words[0]
    end = next((i for i, word in enumerate(words) if _is_no_name(word[0])), len(words))
    return (words[0].start(), words[end - 1].end()) if end else None


def surnamed(text: str) -> Cut:
    """The words behind the last that is no name: the text ends with a surname."""
    words = list(_RUN.finditer(text))
    first = next((i for i in range(len(words), 0, -1) if _is_no_name(words[i - 1][0])), 0)
    return (words[first].start(), len(text)) if first < len(words) else None


def han_name(text: str) -> Cut:
    """A Chinese name, unless two of its characters make a word or one belongs to grammar.

    >>> han_name("王建国"), han_name("高中"), han_name("李的")
    ((0, 3), None, None)
    """
    others = word_list("not_names_uncased")
    pairs = (text[i : i + 2] for i in range(len(text) - 1))
    if text in others or any(pair in others for pair in pairs) or _HAN_NO_GIVEN & set(text[1:]):
        return None
    return 0, len(text)


def japanese_name(text: str) -> Cut:
    """A Japanese name, unless it is or ends with the word of a role; of one character, if a usual surname."""
    if _is_no_name(text) or text.endswith(_endings()) or _CHINESE_ONLY & set(text):
        return None
    if len(text) == 1 and _KANJI.match(text) and text not in _SURNAMES_OF_ONE:
        return None
    return 0, len(text)


def thai_name(text: str) -> Cut:
    """A given name and the surname behind a space, without polite particles."""
    starts = tuple(word for word in word_list("not_names_uncased") if "\u0e00" <= word[0] <= "\u0e7f")
    words = list(_RUN.finditer(text))
    if not words or words[0][0].startswith(starts):
        return None
    ends = [
        cut.start() if (cut := _THAI_ENDS.search(text, w.start() + 1, w.end())) else w.end() for w in words
    ]
    if ends[0] - words[0].start() < _LEAST_THAI:
        return None
    goes_on = len(words) > 1 and ends[0] == words[0].end() and not words[1][0].startswith(starts)
    return words[0].start(), ends[1] if goes_on else ends[0]


def han_address(text: str) -> Cut:
    """A Chinese address without the verb or preposition before it."""
    before = _BEFORE_ADDRESS.match(text)
    return (before.end() if before else 0), len(text)


_BEFORE_ADDRESS = re.compile(".{0,6}[是到在于於址住往至为為位寄]")


def greek_name(text: str) -> Cut:
    """A name without the form of address before it."""
    words = list(_RUN.finditer(text))
    while words and _is_no_name(words[0][0].lower()):
        del words[0]
    return (words[0].start(), words[-1].end()) if words else None


def not_other_word(text: str) -> bool:
    """Not a name that is also another word, in any case: Роман is a man and a novel."""
    return not _is_no_name(text.lower())


def _is_no_name(word: str) -> bool:
    return word in word_list("not_names_uncased")


@built_once
def _endings() -> tuple[str, ...]:
    return tuple(sorted(word[1:] for word in word_list("not_names_uncased") if word[0] == "*"))
