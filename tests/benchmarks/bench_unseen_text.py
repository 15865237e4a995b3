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
from tests.benchmarks.evaluated import HEADINGS, columns, evaluated
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
        of_forms = [("by rules", ("rules",), "forms alone"), ("by rules and lists", WITHOUT_MODEL, "all"), ("by the default", DEFAULT, "all")]  # fmt: skip
        others = [(how, detectors, None) for how, detectors, _ in of_forms[1:]]
        rows = [("forms", forms, "lang", *one) for one in of_forms]
        for name, by in (("names", "lang"), ("genres", "context"), ("calls", "context"), ("letters", "lang")):
            rows += [(name, HERE / f"{name}.jsonl", by, *one) for one in others]
        for name, gold, by, how, detectors, config in rows:
            words: list[Any] = [word for name in detectors for word in ("--detector", name)]
            words += ["--config", work / f"{config}.json"] if config else []
            words += ["--model", model] if model and detectors == DEFAULT else []
            # Whether all that is found and not marked is wrong.
            words += ["--gold-complete"] if detectors == ("rules",) else []
            _show(f"{name}, {how}", evaluated(gold, *words, "--slice", by, "--bootstrap", 200), by)


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
