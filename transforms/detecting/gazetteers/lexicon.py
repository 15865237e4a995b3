"""Lexicon: what is known of each word, as small arrays indexed by a word's number."""

import gc
import lzma
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt
import yaml

_LISTS = (
    "titles", "particles", "suffixes", "organization_ends", "organization_heads", "joiners", "place_parts",
    "place_prepositions", "name_words", "asking_words", "legal_forms",
    "state_codes", "determiners", "field_labels", "eponym_heads", "place_abbreviations",
    "person_prepositions",
)  # fmt: skip

_ENDINGS = {
    "fi": (
        "issa", "issä", "ista", "istä", "ille", "illa", "illä", "ilta", "iltä", "iden", "ien", "een", "iin",
        "aan", "ään", "oon", "uun", "ssa", "ssä", "sta", "stä", "lla", "llä", "lle", "lta", "ltä", "ksi",
        "kin", "ia", "iä", "in", "en", "ta", "tä", "n", "a", "ä",
    ),
    "sv": ("s",), "nb": ("s",), "da": ("s",), "de": ("s",),
}  # fmt: skip
"""Endings of names: Finnish cases, Germanic genitives; longest first."""

_CHANGES = (
    ("ngi", "nki"), ("nge", "nki"), ("e", "i"), ("u", "ku"), ("s", "nen"), ("se", "nen"), ("kse", "s"),
    ("d", "t"), ("t", "tt"),
)  # fmt: skip
"""What Finnish does to the end of a stem before an ending (Helsingi-ssä, Suome-n, Turu-n, Virtase-n)."""

_SHORTEST_STEM = 3

Levels = npt.NDArray[np.uint8]


class Lexicon:
    """Number 0 is every word that no list knows."""

    def __init__(self) -> None:
        names = _table("names.tsv.xz")
        places = {term: int(level) for term, level in _table("places.tsv.xz").items()}
        organizations = list(_lines("organizations.txt.xz"))
        words = _table("words.tsv.xz")
        self.languages: tuple[str, ...] = tuple(words.pop("").split())
        closed = yaml.safe_load((files(__package__) / "language.yaml").read_text("utf-8"))

        numbers: dict[str, int] = {}
        for several in (names, words, *(term.split() for term in (*places, *organizations))):
            for word in several:
                if word not in numbers:
                    numbers[word] = len(numbers) + 1
        for name in _LISTS:
            for word in closed[name].split():
                numbers.setdefault(word, len(numbers) + 1)
        self.numbers = numbers
        size = len(numbers) + 1

        self.given: Levels = np.zeros(size, dtype=np.uint8)
        self.family: Levels = np.zeros(size, dtype=np.uint8)
        at = [numbers[word] for word in names]
        digits = (np.frombuffer("".join(names.values()).encode(), dtype=np.uint8) - ord("0")).reshape(-1, 2)
        self.given[at], self.family[at] = digits[:, 0], digits[:, 1]

        self.word: Levels = np.zeros((size, len(self.languages)), dtype=np.uint8)
        raw = np.frombuffer("".join(words.values()).encode(), dtype=np.uint8) - ord("0")
        self.word[[numbers[word] for word in words]] = raw.reshape(-1, len(self.languages))

        self.place: Levels = np.zeros(size, dtype=np.uint8)
        self.organization: npt.NDArray[np.bool_] = np.zeros(size, dtype=np.bool_)
        self.opens: npt.NDArray[np.bool_] = np.zeros(size, dtype=np.bool_)
        self.phrases: dict[str, int] = {}
        """Terms of two words and more: level of a place, or 0 for an organisation."""
        self.opens_country: npt.NDArray[np.bool_] = np.zeros(size, dtype=np.bool_)
        self.goes_on: npt.NDArray[np.bool_] = np.zeros(size, dtype=np.bool_)
        self._starts: set[str] = set()
        for term, level in (*((o, 0) for o in organizations), *places.items()):
            if " " not in term:
                if level:
                    self.place[numbers[term]] = level
                else:
                    self.organization[numbers[term]] = True
                continue
            self.phrases[term] = level
            first, second = term.split(" ", 2)[:2]
            self.opens[numbers[first]] = True
            self.goes_on[numbers[second]] = True
            if level == 3:
                self.opens_country[numbers[first]] = True
            self._starts.add(f"{first} {second}")

        self.is_in: dict[str, npt.NDArray[np.bool_]] = {}
        for name in _LISTS:
            self.is_in[name] = np.zeros(size, dtype=np.bool_)
            self.is_in[name][[numbers[word] for word in closed[name].split()]] = True
        self.cues = {
            tuple(cue.split()): strength
            for strength, name in enumerate(("greeting_cues", "naming_cues"), start=1)
            for cue in closed[name]
        }
        """Words that announce a name, to 2 where nothing but a name can follow and 1 where other words may."""
        self.scientific = tuple(closed["scientific_endings"].split())
        self.closes_cue: npt.NDArray[np.bool_] = np.zeros(size, dtype=np.bool_)
        self.closes_cue[[numbers[c[-1]] for c in self.cues if c[-1] in numbers]] = True

    def number(self, word: str) -> int:
        """The number of a word, of its plain form where only that is known, or 0."""
        found = self.numbers.get(word, 0)
        return found if found or word.isascii() else self.numbers.get(plain(word), 0)

    def stem(self, word: str, language: int) -> int:
        """The number of the name that an inflected form belongs to, or 0.

        ``language`` is a column of ``word``.
        """
        stems = [
            word[: -len(ending)]
            for ending in _ENDINGS.get(self.languages[language], ())
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM
        ]
        forms = [*stems, *(stem[: -len(a)] + b for stem in stems for a, b in _CHANGES if stem.endswith(a))]
        names = [n for n in map(self.number, forms) if n and not self.word[n, language]]
        return max(names, key=self._weight, default=0)

    def _weight(self, number: int) -> int:
        """How much of a name a word is: endings may be cut in several ways."""
        return 4 * int(self.place[number]) + int(self.given[number]) + int(self.family[number])

    def phrase(self, words: list[str], i: int, stop: int) -> tuple[int, int]:
        """How many words the longest phrase at word ``i`` has (0: none), and its level."""
        if i + 1 >= stop or f"{words[i]} {words[i + 1]}" not in self._starts:
            return 0, 0
        for count in range(min(7, stop - i), 1, -1):
            level = self.phrases.get(" ".join(words[i : i + count]))
            if level is not None:
                return count, level
        return 0, 0


def plain(word: str) -> str:
    """A word without its accents."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if unicodedata.category(c)[0] != "M")


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lists, read once in a process.

    A million words make every pass of the garbage collector slow: it is off while they are read, and afterwards
    they are taken out of its sight, for they live as long as the process.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        words = Lexicon()
    finally:
        if collecting:
            gc.enable()
    gc.freeze()
    return words


def _lines(name: str) -> Iterator[str]:
    data = lzma.decompress((files(__package__) / "data" / name).read_bytes())
    yield from data.decode().splitlines()


def _table(name: str) -> dict[str, str]:
    return dict(line.split("\t") for line in _lines(name))
