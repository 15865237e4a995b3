"""What is found, by file, infoType, language and detector: all tables of ``docs/evidence/accuracy.md`` but those of other benchmarks.

    python -m tests.benchmarks.bench_accuracy DATA [--model FOLDER] [--work FOLDER]

asks ``tacenda evaluate`` with the default detectors, rules and model, with other choices of them, and writes
``docs/evidence/accuracy.json``. The development files are those that the embedded model's thresholds were chosen by; the
makers left out are those that no file was trained on. ``--work`` keeps each answer, so that an interrupted run goes on.
"""

import gzip
import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tacenda.models.token_classifier.loading import embedded_path
from tests.benchmarks.evaluated import UNSEEN, evaluated, records, share, table
from tests.benchmarks.figures import keep_tables, options

RULES = ("rules", "gazetteer")
EVERY = (*RULES, "model")
NEARBY = {"genres": "essays, clinical notes, e-mails, calls, written by other people", "calls": "calls and chats, written by other people", "letters": "letters and forms of seventeen countries, written by other people"}  # fmt: skip
OTHERS = {
    "de": ("germeval14", "mobie", "multiconer-de", "uner-de-pud"),
    "fr": ("echr-fr", "fr-litbank"),
    "it": ("kind-it", "lod-it"),
    "nl": ("multiconer-nl",),
    "pt": ("uner-pt-bosque", "uner-pt-pud", "lener-br"),
    "pl": ("kpwr-pl",),
}
"""Files with gold in languages that are not covered."""
LATIN = {"da", "de", "en", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv"}
PLAIN = ("plain-prose", "plain-docs", "plain-code", "plain-logs")
_LEAST, _AIM = 15, 0.9
"""Judged findings that a corpus needs for a precision of its own, and the aim."""
_FEW = 20_000
"""Letters and digits that a language of a file, and its others, need for a row of its own."""


def main() -> None:
    """Evaluate and write the tables."""
    parser = options(__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", type=Path, help="another model than the embedded one")
    parser.add_argument("--work", type=Path, help="folder that keeps each answer")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables = _Tables(chosen.data, chosen.model, chosen.work or Path(folder)).all()
    keep_tables("accuracy", tables)


class _Tables:
    def __init__(self, data: Path, model: Path | None, work: Path) -> None:
        self._data, self._model, self._work = data, model, work
        work.mkdir(parents=True, exist_ok=True)
        curve = json.loads((embedded_path() / "curve.json").read_text("utf-8"))
        self._thirty = [data / str(one["file"]) for one in curve["data"]["dev"]]

    def all(self) -> dict[str, Any]:
        """Each table by its name on the page."""
        default, lists, model, every = (
            self._told(name, self._thirty, detectors)
            for name, detectors in (
                ("default", ()),
                ("lists", RULES),
                ("model", ("model",)),
                ("every", EVERY),
            )
        )
        return {
            "in short": self._in_short(default),
            "by infotype": _by_label(default, lists),
            "boundaries and entities": _boundaries(default),
            "precision by corpus": _precision(default),
            "text of other makers": self._left_out(default, lists),
            "what each detector adds": _detectors({"rules and lists": lists, "model": model, "rules and model (default)": default, "all three": every}),
            "text without personal data": self._plain(),
            "by language": self._by_language(),
            "other languages": self._others(),
        }  # fmt: skip

    def _told(self, name: str, gold: Sequence[Path], detectors: Sequence[str] = (), *more: str) -> Any:
        """The figures of ``tacenda evaluate``, once for each name."""
        answer = self._work / f"{name}.json"
        if not answer.is_file():
            words = [word for one in detectors for word in ("--detector", one)]
            words += ["--model", str(self._model)] if self._model and detectors != RULES else []
            found = evaluated(gold, *words, "--per-label", *more, "--bootstrap", 200, "--workers", 1)
            answer.write_text(json.dumps(found), "utf-8")
        return json.loads(answer.read_text("utf-8"))

    def _dev(self, names: Iterable[str]) -> list[Path]:
        return [self._data / f"{name}.dev.jsonl.gz" for name in names]

    def _in_short(self, default: Any) -> Any:
        left_out = self._told("left out", self._dev(UNSEEN))
        rows = [
            ("30 development files, six languages", default),
            ("of these, four whose makers the model never saw", left_out),
        ]
        unseen = Path(__file__).parent / "unseen"
        rows += [(what, self._told(name, [unseen / f"{name}.jsonl"])) for name, what in NEARBY.items()]
        return table(
            "text, spans, recall, of the right class, exact edges, precision, leaking",
            [[what, *_summary(one["total"])] for what, one in rows],
        )

    def _left_out(self, default: Any, lists: Any) -> Any:
        rows = []
        for name in UNSEEN:
            one, without = (told["files"][f"{name}.dev"] for told in (default, lists))
            recall = one["recall"]
            rows.append([name, f"{recall['of']:,}", share(without["recall"]), share(recall), share(one["char_precision"])])  # fmt: skip
        return table(
            "no file of this corpus was trained on, spans, rules and lists, default, precision", rows
        )

    def _plain(self) -> Any:
        """Each file and its larger languages, by default and with the preset for assistants."""
        assistant = self._work / "assistant.yaml"
        assistant.write_text("look_for: {presets: [assistant]}\n", "utf-8")
        rows = []
        for name, path in [*zip(PLAIN, self._dev(PLAIN), strict=True), *self._chats()]:
            told = [
                self._told(f"{name}{of}", [path], (), "--slice", "lang", *words)
                for of, words in (("", ()), (" assistant", ("--config", assistant)))
            ]
            whole = told[0]["total"]["over_masking"]["of"]
            for lang in ("", *sorted(told[0]["slices"]["lang"])):
                one, two = (got["slices"]["lang"][lang] if lang else got["total"] for got in told)
                letters, recall = one["over_masking"]["of"], one["recall"]
                if not lang or _FEW <= letters <= whole - _FEW:
                    outside = (_percent(got["over_masking"]) for got in (one, two))
                    rows.append([f"{name} {lang}".strip(), f"{letters:,}", *outside, f"{one['findings']:,}", f"{recall['of']:,}", share(recall)])  # fmt: skip
        return table(
            "text, letters and digits outside of gold, of these hidden, by the preset assistant, findings, gold, recall",
            rows,
        )

    def _chats(self) -> Iterator[tuple[str, Path]]:
        """What is said in chats with assistants and tools, with its gold, as files of conversations."""
        gold = json.loads((self._data / "chat" / "spans.json").read_text("utf-8"))
        for path in sorted((self._data / "chat").glob("*.jsonl.gz")):
            made = self._work / path.name
            with gzip.open(made, "wt", encoding="utf-8") as out:
                for number, record in enumerate(records(path)):
                    spans = gold[path.name].get(str(number), {})
                    turns = [
                        {"speaker": said["role"], "text": said["content"], "spans": spans.get(f"/messages/{i}/content", [])}
                        for i, said in enumerate(record["messages"])
                        if isinstance(said.get("content"), str)
                    ]  # fmt: skip
                    told = {"id": f"{path.name} {number}", "lang": "en", "gold": "complete", "turns": turns}
                    out.write(json.dumps(told) + "\n")
            yield f"chat {path.name.partition('.')[0]}", made

    def _by_language(self) -> Any:
        """Makers left out have no train file."""
        languages: dict[str, list[Path]] = {}
        for path in sorted(self._data.glob("*.dev.jsonl.gz")):
            lang = next(records(path))["lang"]
            alone = not path.with_name(path.name.replace(".dev.", ".train.")).exists()
            if alone and lang in LATIN and not path.name.startswith(("plain-", "xsid-")):
                languages.setdefault(lang, []).append(path)
        paths = [path for several in languages.values() for path in several]
        slices = self._told("by language", paths, (), "--slice", "lang")["slices"]["lang"]
        rows = []
        for lang, several in languages.items():
            recall, precision = (slices[lang][of] for of in ("recall", "char_precision"))
            covered = all(one["value"] >= least for one, least in ((recall, 0.93), (precision, 0.85)))
            names = ", ".join(path.name.partition(".")[0] for path in several)
            says = "yes" if covered and recall["of"] >= 500 else "no"
            rows.append([lang, names, f"{recall['of']:,}", share(recall), share(precision), says])
        found = table("language, makers left out, spans, recall, precision, covered", rows, 2)
        return found | {"align": "llrlll"}

    def _others(self) -> Any:
        rows = []
        for lang, names in OTHERS.items():
            one = self._told(lang, self._dev(names))["total"]
            rows.append([lang, ", ".join(names), *_summary(one)])
        return table(
            "language, files, spans, recall, of the right class, exact edges, precision, leaking", rows, 2
        )


def _summary(one: Any) -> list[str]:
    shares = (share(one[of]) for of in ("recall", "typed_recall", "exact_boundary_rate", "char_precision"))
    return [f"{one['recall']['of']:,}", *shares, _percent(one["conversation_leak_rate"])]


def _by_label(default: Any, lists: Any) -> Any:
    labels = default["total"]["per_label"]
    rows = []
    for label in _asked(default, 10):
        one, without = labels[label], lists["total"]["per_label"][label]
        rows.append([label, f"{one['gold']:,}", share(without["recall"]), *(share(one[of]) for of in ("recall", "typed_recall"))])  # fmt: skip
    return table("infoType, spans, rules and lists, default, of the right class", rows)


def _boundaries(default: Any) -> Any:
    labels = default["total"]["per_label"]
    rows = []
    for label in _asked(default, 400):
        one = labels[label]
        rows.append([label, f"{one['gold']:,}", share(one["exact_boundary_rate"]), f"{one['mean_excess_chars']['value']:.2f}", share(one["consistent_detection"])])  # fmt: skip
    return table("infoType, spans, exact edges, excess, consistent", rows)


def _precision(default: Any) -> Any:
    rows = []
    files = default["files"].items()
    for name, one in sorted(files, key=lambda item: -(item[1]["char_precision"]["value"] or 0)):
        if one["findings_judged"] >= _LEAST:
            precision = one["char_precision"]
            met = "met" if precision["value"] >= _AIM else "missed"
            rows.append([name.removesuffix(".dev"), ", ".join(sorted(one["languages"])), f"{one['findings_judged']:,}", share(precision), met])  # fmt: skip
    return table("corpus, languages, judged, precision, .90", rows, 2)


def _detectors(told: dict[str, Any]) -> Any:
    return table(
        "detectors, spans, recall, of the right class, exact edges, precision, leaking",
        [[name, *_summary(one["total"])] for name, one in told.items()],
    )


def _asked(told: Any, least: int) -> list[str]:
    core = told["labels"]["core"]
    return [label for label in sorted(core, key=lambda name: (-core[name], name)) if core[label] >= least]


def _percent(one: Any) -> str:
    if one["value"] is None:
        return "–"
    value, *ends = (100 * x for x in (one["value"], *(one["interval"] or ())))
    return f"{value:.2f} %" + (" [{:.2f}, {:.2f}]".format(*ends) if ends else "")


if __name__ == "__main__":
    main()
