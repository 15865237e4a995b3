"""Recall and precision by language on makers left out: files that have no train file.

    python -m tests.benchmarks.bench_languages DATA [--model FOLDER]

writes ``docs/evidence/languages.json``. A language is covered by evidence where recall is .93 or more and precision .85
or more on at least 500 spans.
"""

import argparse
import gzip
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.benchmarks.evaluated import tacenda
from tests.benchmarks.figures import EVIDENCE

LATIN = {"da", "de", "en", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv"}
_SPANS, _RECALL, _PRECISION = 500, 0.93, 0.85


def main() -> None:
    """Measure and render."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", type=Path)
    chosen = parser.parse_args()
    told = json.dumps({"by language": table(_measured(chosen.data, chosen.model))}, indent=1)
    (EVIDENCE / "languages.json").write_text(told + "\n", "utf-8")


def _measured(data: Path, model: Path | None) -> dict[str, Any]:
    languages: dict[str, list[Path]] = {}
    for path in sorted(data.glob("*.dev.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            lang = json.loads(next(iter(lines)))["lang"]
        alone = not path.with_name(path.name.replace(".dev.", ".train.")).exists()
        if alone and lang in LATIN and not path.name.startswith(("plain-", "xsid-")):
            languages.setdefault(lang, []).append(path)
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "figures.json"
        paths = [path for several in languages.values() for path in several]
        with_model = ["--model", model] if model else []
        tacenda(["evaluate", "--input", *paths, *with_model, "--slice", "lang", "--json", told])
        slices = json.loads(told.read_text("utf-8"))["slices"]["lang"]
    return {
        lang: {
            "files": [path.name.partition(".")[0] for path in paths],
            "spans": slices[lang]["recall"]["of"],
            "recall": _share(slices[lang]["recall"]),
            "precision": _share(slices[lang]["char_precision"]),
        }
        for lang, paths in languages.items()
    }


def _share(told: Mapping[str, Any]) -> list[float]:
    return [round(one, 3) for one in (told["value"], *told["interval"])]


def table(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The table, a row for each language."""
    rows = []
    for lang, one in evidence.items():
        covered = one["spans"] >= _SPANS and one["recall"][0] >= _RECALL and one["precision"][0] >= _PRECISION
        shares = [
            "{} [{}, {}]".format(*(f"{x:.3f}".lstrip("0") for x in one[of])) for of in ("recall", "precision")
        ]
        rows.append([lang, ", ".join(one["files"]), f"{one['spans']:,}", *shares, "yes" if covered else "no"])
    columns = ["language", "makers left out", "spans", "recall", "precision", "covered"]
    return {"columns": columns, "align": "llrlll", "rows": rows}


if __name__ == "__main__":
    main()
