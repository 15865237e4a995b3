"""Character precision by development corpus, and whether it is .90 or more, as a table for docs/accuracy.md.

    python -m tests.benchmarks.bench_precision FIGURES

FIGURES is what `tacenda evaluate --input *.dev.jsonl.gz --json FIGURES` writes. A corpus counts if its gold is complete
for some labels, and made by people: precision against gold that programs made says what they missed, too.
"""

import argparse
import json
from pathlib import Path
from typing import Any

AIM = 0.90
SILVER = frozenset({"multiconer-en.dev", "multiconer-es.dev"})
"""Gold by links of an encyclopedia, not by readers."""


def table(files: dict[str, Any]) -> list[str]:
    """The rows: corpus, languages, judged findings, precision with its interval, verdict."""
    lines = ["| corpus | languages | judged | precision | .90 |", "|---|---|---:|---|---|"]
    for name, figures in sorted(files.items(), key=lambda one: -(one[1]["char_precision"]["value"] or 0)):
        precision = figures["char_precision"]
        if precision["value"] is None:
            continue
        least, most = precision["interval"] or (None, None)
        interval = "" if least is None else f" [{least:.3f}, {most:.3f}]"
        verdict = "met" if precision["value"] >= AIM else "missed"
        lines.append(
            f"| {name.removesuffix('.dev')} | {', '.join(sorted(figures['languages']))} "
            f"| {figures['findings_judged']:,} | {precision['value']:.3f}{interval} "
            f"| {'silver gold' if name in SILVER else verdict} |".replace("0.", ".").replace("1.000", "1.00")
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("figures", type=Path)
    print("\n".join(table(json.loads(parser.parse_args().figures.read_text("utf-8"))["files"])))


if __name__ == "__main__":
    main()
