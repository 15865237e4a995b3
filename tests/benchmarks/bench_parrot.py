"""The parrot attack on sample calls of which some names are missed, with surrogates of the default kind.

    python -m tests.benchmarks.bench_parrot [--conversations 1000]

Each name of a conversation is missed with a probability, wherever it stands, or, as the name of one agent may be, in
all conversations that have it. The attacker knows the lists of surrogates, or does not.
"""

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.lab.hiding_attacks import Released, parrot_attack
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_WORD = re.compile(r"[^\W\d_]{2,}")


def released(
    talks: Sequence[Mapping[str, Any]], rate: float, everywhere: bool, foreign: bool
) -> Iterator[Released]:
    """The people's names of each conversation after replacement."""
    replacer = SurrogateReplacer(b"a secret of this benchmark, not of yours")
    for number, talk in enumerate(talks):
        texts, findings, missed = [], [], set[str]()
        for turn in talk["turns"]:
            text, found = turn["text"], []
            for span in turn.get("spans", ()):
                if span["label"] != "PERSON_NAME":
                    continue
                name = text[span["start"] : span["end"]]
                last = name.split()[-1].casefold()
                if Draw("missed", last, "" if everywhere else number).chance(rate):
                    # What is in no list: a name spelled as no list has it.
                    missed.update(f"{word}qx" if foreign else word for word in _WORD.findall(name))
                else:
                    found.append(
                        Finding(span["start"], span["end"], "PERSON_NAME", Likelihood.LIKELY, "gold")
                    )
            texts.append(text)
            findings.append(found)
        linked = link_conversation(texts, [None] * len(texts), findings, {}, str(number))
        values = replacer.values(linked).findings
        inserted = {word for cell in values for value in cell for word in _WORD.findall(value)}
        yield Released(inserted | missed, missed)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, default=1000)
    talks = list(conversations(1, 0, parser.parse_args().conversations))
    lists = [name for pool in people().pools.values() for name in pool]
    print("| missed | attacker knows the lists | names | missed | pointed out | right | precision | recall |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for what, everywhere, foreign in (
        ("3 % of names, a conversation at a time", False, False),
        ("3 % of names, in every conversation", True, False),
        ("3 % of names, which are in no list", False, True),
    ):
        documents = list(released(talks, 0.03, everywhere, foreign))
        for known in (True, False):
            found = parrot_attack(documents, lists if known else ())
            print(
                f"| {what} | {'yes' if known else 'no'} | {found.names:,} | {found.missed:,} | "
                f"{found.pointed_out:,} | {found.right:,} | {found.precision:.2f} | {found.recall:.2f} |"
            )


if __name__ == "__main__":
    main()
