"""How languages in other scripts fare: recall, precision, and what is hidden of sentences that name nobody.

    python -m tests.benchmarks.bench_scripts DATA_FOLDER [NAME …]

Names are those of the development files below, by default all. *Hidden* is the share of letters and digits replaced in
records without annotations. Counts and shares only; nothing of the text is printed.
"""

import argparse
import gzip
import json
import tempfile
from pathlib import Path

from tests.benchmarks.bench_plain_text import default_chain, measure
from tests.benchmarks.evaluated import evaluated

FILES = (
    "uner-ru-pud",
    "hiner-hi",
    "uner-zh-gsd",
    "weibo-zh",
    "stockmark-ja",
    "klue-ko",
    "aqmar-ar",
    "xsid-more",
)
DETECTORS = ("rules", "gazetteer", "model")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", default=FILES, metavar="NAME")
    arguments = parser.parse_args()
    chain = default_chain()
    print(f"{'file':<14}{'spans':>7}{'recall':>8}{'class':>7}{'precision':>11}{'leak':>7}{'hidden':>9}")
    for name in arguments.names:
        path = arguments.data / f"{name}.dev.jsonl.gz"
        with tempfile.TemporaryDirectory() as folder:
            total = evaluated([path], DETECTORS, None, Path(folder) / "figures.json")["total"]
            plain = Path(folder) / "plain.jsonl"
            plain.write_text("".join(_without_spans(path)), encoding="utf-8")
            hidden = measure(plain, chain).percent()
        print(
            f"{name:<14}{total['recall']['of']:>7}{total['recall']['value']:>8.3f}"
            f"{total['typed_recall']['value']:>7.3f}{total['char_precision']['value'] or 0:>11.3f}"
            f"{total['conversation_leak_rate']['value']:>7.3f}{hidden:>7.2f} %"
        )


def _without_spans(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [line for line in lines if not any(turn["spans"] for turn in json.loads(line)["turns"])]


if __name__ == "__main__":
    main()
