"""Linking and replacing by size: CPU microseconds a finding, for long conversations and for long turns.

    python -m tests.benchmarks.bench_long_conversations [--largest 200000]

A conversation has a finding in each turn, or all of them in one turn. *mixed* has people, organisations, places,
addresses and numbers in turn; the others have one kind only, all different, so that the lists that surrogates
are drawn from are used up. A single run of each: constant figures in a row mean linear.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.replacement import Replacer, replace_conversation
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

Cell = tuple[str, list[Finding]]

LABELS = {"Ann Lee": "PERSON_NAME", "Bob": "PERSON_NAME"}
_SPEAKERS = (*LABELS, "agent")


def _word(number: int) -> str:
    draw = Draw("word", number)
    return "".join(draw.pick("bcdfghklmnprstvz") + draw.pick("aeiou") for _ in range(4)).capitalize()


VALUES: dict[str, tuple[str, Callable[[int], str]]] = {
    "people": ("PERSON_NAME", lambda n: f"{_word(2 * n)} {_word(2 * n + 1)}"),
    "organisations": ("ORGANIZATION_NAME", lambda n: f"{_word(n)} Bank"),
    "places": ("LOCATION", _word),
    "streets": ("STREET_ADDRESS", lambda n: f"{n + 1} {_word(n)} Street"),
    "e-mails": ("EMAIL_ADDRESS", lambda n: f"{_word(n).lower()}@{_word(-n).lower()}.com"),
    "phones": ("PHONE_NUMBER", lambda n: f"+46 70 {n:07d}"),
    "cards": ("CREDIT_CARD_NUMBER", lambda n: f"4{n * 7919 % 10**15:015d}"),
}


def cells(kind: str, size: int) -> Iterator[Cell]:
    """``size`` turns with a finding each."""
    kinds = [kind] if kind in VALUES else list(VALUES)
    for number in range(size):
        info_type, value = VALUES[kinds[number % len(kinds)]]
        text = value(number)
        yield f"well, {text} it is", [Finding(6, 6 + len(text), info_type, Likelihood.LIKELY, "model")]


def in_one(turns: Iterator[Cell]) -> Cell:
    """The same in one turn."""
    texts: list[str] = []
    found: list[Finding] = []
    start = 0
    for text, findings in turns:
        found += [one._replace(start=one.start + start, end=one.end + start) for one in findings]
        texts.append(text)
        start += len(text) + 1
    return " ".join(texts), found


def measured(turns: Sequence[Cell], size: int) -> list[float]:
    """CPU microseconds a finding of linking, tokens and surrogates."""
    texts = [text for text, _ in turns]
    speakers = [_SPEAKERS[i % len(_SPEAKERS)] for i in range(len(turns))]
    started = time.process_time()
    linked = link_conversation(texts, speakers, [found for _, found in turns], LABELS, "c", None, "en")
    ends = [time.process_time()]
    replacers: tuple[Replacer, ...] = (TokenReplacer(), SurrogateReplacer(b"a secret of this benchmark"))
    for replacer in replacers:
        replace_conversation(linked, replacer.values(linked))
        ends.append(time.process_time())
    return [(end - begin) * 1e6 / size for begin, end in zip((started, *ends), ends, strict=False)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--largest", type=int, default=200_000, help="findings of the longest conversation")
    largest = parser.parse_args().largest
    measured(list(cells("mixed", 100)), 100)  # reads the lists
    print("| findings | of | in | linking | tokens | surrogates |\n|---:|---|---|---:|---:|---:|")
    sizes = [size for size in (1_000, 10_000, 100_000) if size < largest]
    for kind in ("mixed", *VALUES):
        for size in (*sizes, largest) if kind == "mixed" else sizes:
            turns = list(cells(kind, size))
            print(_row(size, kind, "turns of its own", measured(turns, size)), flush=True)
        for size in sizes if kind == "mixed" else ():
            one = [in_one(cells(kind, size))]
            print(_row(size, kind, "one turn", measured(one, size)), flush=True)


def _row(size: int, kind: str, where: str, taken: Sequence[float]) -> str:
    return f"| {size:,} | {kind} | {where} | " + " | ".join(f"{one:.1f}" for one in taken) + " |"


if __name__ == "__main__":
    main()
