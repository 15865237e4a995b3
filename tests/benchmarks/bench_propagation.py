"""What propagation gains and costs: `tacenda evaluate` with it and without, file by file, and its share of the time.

    python -m tests.benchmarks.bench_propagation [--detector rules --detector gazetteer] FILE.dev.jsonl.gz …

Recall, precision by characters, and how many of the people, numbers and things that are named twice or more are
covered wherever they are. Everything runs in one process, so that seconds are CPU seconds of the chain.
"""

import argparse
import contextlib
import io
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from tacenda.pipelines import evaluate
from tacenda.pipelines.chain import chain
from tacenda.transforms.linking.propagation.mentions import find_mentions

MEASURES = ("recall", "char_precision", "consistent_detection_repeated")


class Timed:
    """Wraps a function and adds up its CPU seconds."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.seconds = 0.0

    def __call__(self, *arguments: Any) -> Any:
        start = time.process_time()
        try:
            return self._function(*arguments)
        finally:
            self.seconds += time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--detector", action="append", default=[])
    chosen = parser.parse_args()
    header = f"{'':24}{'spans':>7}{'recall':>16}{'precision':>16}{'consistent':>16}{'time':>7}"
    found = ran = 0.0
    # Once before, so that what a process reads and compiles once is not counted.
    for path in (chosen.files[0], *chosen.files):
        words = [word for name in chosen.detector for word in ("--detector", name)]
        find, run = Timed(find_mentions), Timed(chain.Chain.run)
        with patch.object(chain, "find_mentions", lambda *_: []):
            without = _figures(path, words)
        with (
            patch.object(chain, "find_mentions", find),
            patch.object(chain.Chain, "run", lambda self, *arguments: run(self, *arguments)),  # noqa: B023
        ):
            with_it = _figures(path, words)
        pairs = "".join(f"{_shown(without, name):>8} →{_shown(with_it, name):>6}" for name in MEASURES)
        name = path.name.split(".")[0]
        if header:
            print(header)
            header = ""
            continue
        found, ran = found + find.seconds, ran + run.seconds
        print(f"{name:24}{with_it['gold_spans']:>7,}{pairs}{find.seconds / run.seconds:>7.1%}", flush=True)
    print(f"{'all':24}{'':55}{found / ran:>7.1%}")


def _figures(path: Path, words: list[str]) -> Any:
    with TemporaryDirectory() as folder, _quiet():
        figures = Path(folder) / "figures.json"
        options = ["--workers", "1", "--bootstrap", "0", "--json", str(figures)]
        if evaluate.run(["--input", str(path), *options, *words]):
            raise SystemExit(f"{path}: cannot be evaluated")
        return json.loads(figures.read_text("utf-8"))["total"]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def _shown(row: Any, measure: str) -> str:
    value = row[measure]["value"]
    return "–" if value is None else f"{value:.3f}".lstrip("0")


if __name__ == "__main__":
    main()
