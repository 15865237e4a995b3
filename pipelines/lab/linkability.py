"""Run ``tacenda lab linkability``: whether style joins texts of one person, by their character n-grams.

Each text is a profile of its runs of three characters (V. Kešelj et al., "N-gram-based Author Profiles for
Authorship Attribution", PACLING 2003), in hashed buckets. One text of each owner is compared with all other
texts; it is joined if the most similar one has the same owner. Guessing would join it in ``(texts of the owner
- 1) / (all texts - 1)`` of cases. Tokens such as [PERSON_NAME_1] are all alike here: they are not style.

Memory is bounded: only the owners with the lowest hashes, and the texts with the lowest of each, are kept.
They are a random sample that does not depend on order or division.
"""

import hashlib
from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.lab.reading import Item, batches, hashed_runs, plan_with, tell, total, values_of
from tacenda.pipelines.work.receipts import CORPUS
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.scoring.intervals import exact_interval
from tacenda.transforms.storage.files import absolute

BUCKETS = 4096
LEAST_LETTERS = 100  # letters of a text below which it shows no style
MOST_TEXTS = 20  # texts of one owner that are kept
_FACTORS = np.array([1, 1_000_003, 998_244_353], np.uint64) * np.uint64(0x9E3779B97F4A7C15)
_AT_ONCE = 256  # texts compared in one step; bounds memory
_ANY = "\x1a"  # stands for any token


class Profile(NamedTuple):
    """The buckets of a text, in order, and how many runs of characters are in each."""

    buckets: npt.NDArray[np.uint16]
    counts: npt.NDArray[np.uint16]


def profile(text: str) -> Profile | None:
    """The profile of a text; None if it has less than ``LEAST_LETTERS`` letters outside of tokens.

    >>> profile("[PERSON_NAME_1] said hi") is None
    True
    """
    said = TOKEN.sub(_ANY, text)
    if sum(map(str.isalpha, said)) < LEAST_LETTERS:
        return None
    found, counts = np.unique(hashed_runs(said, _FACTORS, 12), return_counts=True)
    return Profile(found.astype(np.uint16), np.minimum(counts, 0xFFFF).astype(np.uint16))


@dataclass
class Styles:
    """Profiles of texts by the hashes of owner and name, of at most ``most`` owners; they add up in any order.

    ``short`` texts show no style. ``is_sample``: owners were left out.
    """

    most: int
    texts: dict[bytes, dict[bytes, Profile]] = field(default_factory=dict)
    short: int = 0
    unreadable: int = 0
    is_sample: bool = False

    def add(self, owner: str, name: str, text: str) -> None:
        """Note a text of an owner; ``name`` tells the texts of one owner apart."""
        own = profile(text)
        if own is None:
            self.short += 1
            return
        texts = self.texts.setdefault(_hash(owner), {})
        texts[_hash(name)] = own
        if len(texts) > MOST_TEXTS:
            del texts[max(texts)]
        if len(self.texts) > 2 * self.most:
            self._shrink()

    def merge(self, other: "Styles") -> "Styles":
        """Add the texts of another; returns itself."""
        for owner, texts in other.texts.items():
            both = {**self.texts.get(owner, {}), **texts}
            self.texts[owner] = {name: both[name] for name in sorted(both)[:MOST_TEXTS]}
        self.short += other.short
        self.unreadable += other.unreadable
        self.is_sample |= other.is_sample
        self._shrink()
        return self

    def _shrink(self) -> None:
        if len(self.texts) > self.most:
            self.texts = {owner: self.texts[owner] for owner in sorted(self.texts)[: self.most]}
            self.is_sample = True

    def figures(self) -> dict[str, Any]:
        """How many owners have a text that style joins with another of theirs.

        Returns:
            ``compared`` owners with two texts or more, ``texts`` of all kept owners, ``joined``, its ``share``
            with a 95 % ``interval`` (exact), the share ``by_chance``, whether the interval lies above it
            (``above_chance``), ``short``, ``unreadable``, and ``is_sample`` if owners were left out. By chance,
            all are joined if there is only one owner.
        """
        self._shrink()
        own = [self.texts[owner] for owner in sorted(self.texts)]
        sizes = list(map(len, own))
        profiles = [texts[name] for texts in own for name in sorted(texts)]
        whose = np.repeat(np.arange(len(own)), sizes)
        first = np.cumsum([0, *sizes])
        asked = [int(place) for place, size in zip(first, sizes, strict=False) if size > 1]
        compared = len(asked)
        joined = _joined(profiles, whose, asked) if asked else 0
        chances = [(size - 1) / (len(profiles) - 1) for size in sizes if size > 1]
        chance = sum(chances) / compared if asked else None
        low, high = exact_interval(joined, compared)
        return {
            "compared": compared,
            "texts": len(profiles),
            "joined": joined,
            "share": round(joined / compared, 6) if asked else None,
            "interval": [round(low, 6), round(high, 6)],
            "by_chance": None if chance is None else round(chance, 6),
            "above_chance": chance is not None and low > chance,
            "short": self.short,
            "unreadable": self.unreadable,
            "is_sample": self.is_sample,
        }


def _hash(name: str) -> bytes:
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _joined(profiles: Sequence[Profile], whose: npt.NDArray[np.intp], asked: Sequence[int]) -> int:
    """How many of the texts ``asked`` are most similar to a text of the same owner."""
    # Rows of length 1, in which runs of characters that few texts have weigh more.
    rows = np.zeros((len(profiles), BUCKETS), np.float32)
    for row, one in zip(rows, profiles, strict=True):
        row[one.buckets] = np.sqrt(one.counts)
    texts_with = np.count_nonzero(rows, axis=0)
    rows *= np.log1p(len(profiles) / np.maximum(texts_with, 1)).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    joined = 0
    for start in range(0, len(asked), _AT_ONCE):
        some = np.array(asked[start : start + _AT_ONCE])
        # Rounded, so that the order of additions in a library of linear algebra does not decide.
        cosines = np.round(rows[some] @ rows.T, 4)
        cosines[np.arange(len(some)), some] = -1
        joined += int((whose[cosines.argmax(axis=1)] == whose[some]).sum())
    return joined


def compare_styles(arguments: Namespace) -> int:
    """Compare the texts that the arguments name; returns the exit code."""
    if arguments.into is not None:
        # Imported here, so that measuring alone does not wait for the report renderer.
        from tacenda.pipelines.output.change import open_to_enter

        folder, enter = open_to_enter(absolute(arguments.into).rstrip("/"), arguments.signing_key)
        if [absolute(url).rstrip("/") for url in arguments.input] != [f"{folder.output}/{CORPUS}"]:
            own = f"give --input {arguments.into}/{CORPUS}"
            raise UserError(f"--into: the figures must be of its corpus; {own}")
    person = arguments.person
    fields = {} if person is None else {person: "--person"}
    plan = plan_with(arguments.input, read_options(arguments), "--input", fields)
    of_item = partial(_styles_of, fields=tuple(fields), speakers=arguments.speaker, people=arguments.people)
    styles = total({"": plan}, of_item, arguments, Styles.merge)
    figures = {"by": person, **styles.figures()}
    if not figures["compared"]:
        what = "conversation has" if person is None else "person has two conversations with"
        raise UserError(f"--input: no {what} enough text to compare; each text needs {LEAST_LETTERS} letters")
    if figures["by_chance"] == 1:
        what = "conversation" if person is None else "person"
        raise UserError(
            f"--input: only one {what} has enough text to compare, so it cannot be told whether style joins "
            "its texts; give more conversations"
        )
    tell(
        arguments,
        figures,
        "style or topic joins texts of one person more often than chance"
        if figures["above_chance"]
        else "style joins texts of one person no more often than chance would; other methods may",
    )
    if arguments.into is not None:
        enter("linkability", {**figures, "speakers": arguments.speaker})
    return ExitCode.DONE


def _styles_of(item: Item, fields: Sequence[str], speakers: Collection[str] | None, people: int) -> Styles:
    """Profile the conversations of a part; both halves of each if no field names its person."""
    styles = Styles(people)
    for batch, unreadable in batches(item):
        styles.unreadable += unreadable
        names = values_of(batch, item.shape, fields)
        for i, conversation in enumerate(batch.ids):
            cells = [c for c in batch.cells(i) if speakers is None or batch.speakers[c] in speakers]
            said = [batch.texts[cell] for cell in cells]
            if not fields:
                half = (len(said) + 1) // 2
                styles.add(conversation, "first", "\n".join(said[:half]))
                styles.add(conversation, "second", "\n".join(said[half:]))
            elif names[i][0] is not None:
                styles.add(str(names[i][0]), conversation, "\n".join(said))
    return styles
