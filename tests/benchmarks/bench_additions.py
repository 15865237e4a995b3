"""What harmless text beside a turn changes in its findings: code, paths, logs, tables, headers, emoji.

    python -m tests.benchmarks.bench_additions [--conversations 700] [--addition NAME …] [--data FOLDER]

Of each addition of ``tests/additions.yaml``: recall of names before, names lost and gained, and those lost that the
network alone does not lose, which is what ``tests/contract/test_additions.py`` limits; then the share of
conversations whose findings beside the addition stay as they are, and the same of the network alone. Three names a
conversation, 14 origins. "Turns in one" adds nothing: the same text is one turn instead of three. With ``--data``,
development files of conversations take the place of generated ones, and what is annotated in them that of names.
"""

import argparse
from pathlib import Path

from tests.additions import (
    Change,
    Search,
    Trial,
    additions,
    conversations,
    in_one_turn,
    of_gold,
    with_addition,
)
from tests.benchmarks.findings_hash import first_conversations

FILES = ("multidogo", "sgd", "star")
CHARACTERS = 60_000
"""Of a file; some 2,000 annotations in all."""


def main() -> None:
    """Print a line an addition, and a line an origin."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, default=700)
    parser.add_argument("--data", type=Path, help="folder of development files")
    parser.add_argument("--addition", nargs="*", choices=additions(), metavar="NAME")
    chosen = parser.parse_args()
    given = conversations(chosen.conversations)
    if chosen.data is not None:
        paths = [(name, chosen.data / f"{name}.dev.jsonl.gz") for name in FILES]
        given = [one for name, path in paths for one in of_gold(name, first_conversations(path, CHARACTERS))]
    trial, total = Trial(Search(), given), Change()
    print(
        f"{'addition':<26}{'names':>8}{'recall':>8}{'lost':>8}{'gained':>8}{'not by network':>16}{'same':>8}{'network':>9}"
    )
    for name, ways in additions().items():
        if not chosen.addition or name in chosen.addition:
            change = trial.change(with_addition(given, ways))
            total.add(change)
            print(_line(name, change), flush=True)
    print(_line("all", total))
    print(_line("turns in one", trial.change(in_one_turn(given))))
    print()
    for origin, names in sorted(total.names.items(), key=lambda item: -total.share(item[0])):
        shares = (counts[origin] / names for counts in (total.found, total.lost, total.gained))
        print(
            f"{origin:<26}{names:>8,}{''.join(f'{one:>8.3f}' for one in shares)}{total.share(origin):>16.4f}"
        )


def _line(name: str, change: Change) -> str:
    names = change.names.total()
    shares = (counts.total() / names for counts in (change.found, change.lost, change.gained))
    same, of_network = change.same / change.conversations, change.same_network / change.conversations
    return (
        f"{name:<26}{names:>8,}{''.join(f'{one:>8.3f}' for one in shares)}"
        f"{change.share():>16.4f}{same:>8.3f}{of_network:>9.3f}"
    )


if __name__ == "__main__":
    main()
