"""What is found in new text, invented by people who had seen neither the rules nor the training text.

    python -m tests.benchmarks.bench_unseen_text [--model PATH]

`unseen/forms.yaml` are sentences of calls, chats, letters and forms with numbers, codes, addresses, dates and times in
eight languages; `unseen/names.jsonl` conversations with people, places and organisations of many origins, names that
are words, and capitals that name nobody. Both are deliberately harder than real text.

As life is, are `unseen/genres.jsonl`, essays, clinical notes, e-mails, court decisions, CVs, incident reports, calls as a
recogniser writes them, chats, meetings; `unseen/calls.jsonl`, calls, chats and meetings; and `unseen/letters.jsonl`,
letters, forms, invoices, calls and messages of seventeen countries about data that has a form.

They stay of use as long as nobody mends a rule by them; who does says so here. The last three were each looked at once
(the figures of that look are in docs/evidence/accuracy.md), and then rules learnt what their misses have in common.

`tacenda evaluate` is asked, by language too. In forms, names are not marked, so precision is judged only where none is
asked for.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tacenda.transforms.detecting.rules.catalogue import default_info_types
from tests.benchmarks.evaluated import HEADINGS, columns, tacenda
from tests.marked_text import unmarked

HERE = Path(__file__).parent / "unseen"
NAMES = {"PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "NUMERIC"}
WITHOUT_MODEL = ("rules", "gazetteer")
DEFAULT = (*WITHOUT_MODEL, "model")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, help="another model than the embedded one")
    model = parser.parse_args().model
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        forms = work / "forms.jsonl"
        forms.write_text("".join(json.dumps(one) + "\n" for one in _forms()), "utf-8")
        dated = {*default_info_types(), "DATE", "TIME"}
        configs = {"all": dated, "forms alone": dated - NAMES}
        for name, asked in configs.items():
            told = {"inspect": {"info_types": [{"name": n} for n in sorted(asked)]}}
            (work / f"{name}.json").write_text(json.dumps(told), "utf-8")
        for title, gold, config, detectors, by in (
            ("forms, by rules", forms, work / "forms alone.json", ("rules",), "lang"),
            ("forms, by rules and lists", forms, work / "all.json", WITHOUT_MODEL, "lang"),
            ("forms, by the default", forms, work / "all.json", DEFAULT, "lang"),
            ("names, by rules and lists", HERE / "names.jsonl", None, WITHOUT_MODEL, "lang"),
            ("names, by the default", HERE / "names.jsonl", None, DEFAULT, "lang"),
            ("genres, by rules and lists", HERE / "genres.jsonl", None, WITHOUT_MODEL, "context"),
            ("genres, by the default", HERE / "genres.jsonl", None, DEFAULT, "context"),
            ("calls, by rules and lists", HERE / "calls.jsonl", None, WITHOUT_MODEL, "context"),
            ("calls, by the default", HERE / "calls.jsonl", None, DEFAULT, "context"),
            ("letters, by rules and lists", HERE / "letters.jsonl", None, WITHOUT_MODEL, "lang"),
            ("letters, by the default", HERE / "letters.jsonl", None, DEFAULT, "lang"),
        ):
            words: list[Any] = [word for name in detectors for word in ("--detector", name)]
            words += ["--config", config] if config else []
            words += ["--model", model] if model and detectors == DEFAULT else []
            # Whether all that is found and not marked is wrong.
            words += ["--gold-complete"] if detectors == ("rules",) else []
            figures = work / "figures.json"
            tacenda(
                [
                    "evaluate",
                    "--input",
                    gold,
                    *words,
                    "--slice",
                    by,
                    "--bootstrap",
                    200,
                    "--json",
                    figures,
                ]
            )
            _show(title, json.loads(figures.read_text("utf-8")), by)


def _forms() -> Iterator[dict[str, Any]]:
    """The sentences as gold conversations, all with one label, since only type-blind figures are used."""
    for lang, entries in yaml.safe_load((HERE / "forms.yaml").read_text("utf-8")).items():
        for number, entry in enumerate(entries):
            said = [entry] if isinstance(entry, str) else entry
            turns = [{"speaker": "AB"[i % 2], **_turn(text)} for i, text in enumerate(said)]
            yield {"id": f"{lang}/{number}", "source": "unseen-forms", "lang": lang, "turns": turns}


def _turn(sentence: str) -> dict[str, Any]:
    text, marks = unmarked(sentence)
    return {
        "text": text,
        "spans": [{"start": start, "end": end, "label": "GENERIC_ID"} for start, end in marks],
    }


def _show(title: str, figures: Any, by: str) -> None:
    print(f"\n{title:<28}{HEADINGS}")
    print(f"  {'all':<26}{columns(figures['total'])}")
    for name, row in figures["slices"][by].items():
        print(f"  {name:<26}{columns(row)}")


if __name__ == "__main__":
    main()
