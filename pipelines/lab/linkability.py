"""Run ``tacenda lab linkability``: whether style joins texts of one person, by their character n-grams.

Each text is a profile of its runs of three characters (V. Kešelj et al., "N-gram-based Author Profiles for
Authorship Attribution", PACLING 2003), in hashed buckets. One text of each owner is compared with all other
texts; it is joined if the most similar one has the same owner. Guessing would join it in ``(texts of the owner
- 1) / (all texts - 1)`` of cases. Tokens such as [PERSON_NAME_1] are all alike here: they are not style.

Only the owners that are drawn are kept.
"""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.lab.reading import drawn, hashed_runs, plan_with, tell
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


Profile = npt.NDArray[np.uint16]
"""How many runs of characters of a text are in each bucket."""


def profile(text: str) -> Profile | None:
    """The profile of a text; None if it has less than ``LEAST_LETTERS`` letters outside of tokens.

    >>> profile("[PERSON_NAME_1] said hi") is None
    True
    """
    said = TOKEN.sub(_ANY, text)
    if sum(map(str.isalpha, said)) < LEAST_LETTERS:
        return None
    counts = np.bincount(hashed_runs(said, _FACTORS, 12).astype(np.intp), minlength=BUCKETS)
    return np.minimum(counts, 0xFFFF).astype(np.uint16)


def joined_by_style(texts: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """How many owners have a text that style joins with another of theirs; each text comes with its owner.

    Returns:
        ``compared`` owners with two texts or more, ``texts`` with enough letters, ``joined``, its ``share``
        with a 95 % ``interval`` (exact), the share ``by_chance``, whether the interval lies above it
        (``above_chance``), and ``short`` texts, which show no style. By chance, all are joined if there is only
        one owner.
    """
    of_owners: dict[str, list[Profile]] = {}
    short = 0
    for owner, text in texts:
        own = profile(text)
        if own is None:
            short += 1
        elif len(several := of_owners.setdefault(owner, [])) < MOST_TEXTS:
            several.append(own)
    sizes = list(map(len, of_owners.values()))
    profiles = list(chain.from_iterable(of_owners.values()))
    whose = np.repeat(np.arange(len(sizes)), sizes)
    asked = [first for first, size in zip(accumulate(sizes, initial=0), sizes, strict=False) if size > 1]
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
        "short": short,
    }


def _joined(profiles: Sequence[Profile], whose: npt.NDArray[np.intp], asked: Sequence[int]) -> int:
    """How many of the texts ``asked`` are most similar to a text of the same owner."""
    # Rows of length 1, in which runs of characters that few texts have weigh more.
    rows = np.sqrt(np.array(profiles), dtype=np.float32)
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
    person, speakers = arguments.person, arguments.speaker
    fields = {} if person is None else {person: "--person"}
    plan = plan_with(arguments.input, read_options(arguments), "--input", fields)
    sample = drawn(plan, arguments.people, arguments, tuple(fields), of_owners=bool(fields))
    texts: list[tuple[str, str]] = []
    for record in sample.records:
        said = [text for speaker, text in record.turns if speakers is None or speaker in speakers]
        if fields:
            texts.append((str(record.values[0]), "\n".join(said)))
        else:
            half = (len(said) + 1) // 2
            texts += [(record.name, "\n".join(some)) for some in (said[:half], said[half:])]
    figures = {
        "by": person,
        **joined_by_style(texts),
        "unreadable": sample.unreadable,
        "is_sample": not sample.whole,
    }
    if not figures["compared"]:
        what = "conversation has" if person is None else "person has two conversations with"
        raise UserError(f"--input: no {what} enough text to compare; each text needs {LEAST_LETTERS} letters")
    if figures["by_chance"] == 1:
        what = "conversation" if person is None else "person"
        raise UserError(f"--input: only one {what} has enough text to compare; give more conversations")
    tell(
        arguments,
        figures,
        "style or topic joins texts of one person more often than chance"
        if figures["above_chance"]
        else "style joins texts of one person no more often than chance would; other methods may",
    )
    if arguments.into is not None:
        enter("linkability", {**figures, "speakers": speakers})
    return ExitCode.DONE
