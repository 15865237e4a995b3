"""``preview``, ``explain`` and ``redact`` as a user runs them."""

import gzip
import io
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from typing import NamedTuple

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.interactive.preview import _AGREEMENTS
from tacenda.transforms.previewing.conversation import display_width
from tacenda.transforms.storage.yaml_text import parse_yaml
from tests.cases import tabled

MAIL, OTHER = "ann.smith@example.com", "bo@example.com"
TALK = {
    "conversation_id": "c1",
    "context": "sales",
    "turns": [
        {"speaker": "agent", "text": f"Is it {MAIL}, or {OTHER}?"},
        {"speaker": "Pam Beesly", "text": f"{MAIL} <b>please</b>"},
    ],
}
RULES = ("--detector", "rules")


class Run(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def call(capsys):
    def run(*words):
        code = cli_main(cli.run, [*map(str, words), *RULES])
        return Run(code, *capsys.readouterr())

    return run


def talks(count):
    return [{**TALK, "conversation_id": f"c{i}"} for i in range(count)]


def test_a_page_is_readable_by_its_owner_only(call, lines, tmp_path):
    page = tmp_path / "page.html"
    run = call("preview", "--input", lines(*talks(3)), "--html", page)
    assert run.code == 0, run.err
    assert page.stat().st_mode & 0o777 == 0o600
    text = page.read_text("utf-8")
    assert text.count('class="talk"') == 3
    assert MAIL not in run.out + run.err


HOSTILE = "</style><script>alert(1)</script>\"'><img src=//x onerror=y>&\u202e\x1b[2J{{ 7*7 }}"


class Page(HTMLParser):
    """The elements of a page with their attributes, its text, and the class and text of each mark."""

    def __init__(self, source):
        super().__init__()
        self.source, self.text = source, ""
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.marks: list[tuple[str | None, str]] = []
        self.feed(source)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data
        if self.elements and self.elements[-1][0] == "mark":
            self.marks.append((self.elements[-1][1]["class"], data))

    def handle_endtag(self, tag):
        self.elements.append((f"/{tag}", {}))

    def attributes(self, name, tag=None):
        return [told[name] for one, told in self.elements if name in told and tag in (None, one)]


@pytest.fixture
def page(call, lines, tmp_path):
    """The page of a preview of some conversations."""

    def show(*conversations):
        run = call("preview", "--input", lines(*conversations), "--html", tmp_path / "page.html")
        assert run.code == 0, run.err
        return Page((tmp_path / "page.html").read_text("utf-8"))

    return show


def test_all_mentions_of_an_entity_have_its_class_and_tell_what_it_is(page):
    shown = page(TALK)
    mail, other, pam = ("e1", MAIL), ("e2", OTHER), ("e3", "Pam Beesly")
    assert [one for one in shown.marks if "new" not in one[0]] == [mail, other, pam, mail]
    assert shown.marks.count(("e1 new", "[EMAIL_ADDRESS_1]")) == 2
    for number in (1, 2, 3):
        assert f".talk:has(.e{number}:is(:hover, :focus)) .e{number}" in shown.source
    told = shown.attributes("data-told", "mark")
    assert told[0] == "EMAIL_ADDRESS · VERY_LIKELY · rules · entity 1"
    assert all(re.fullmatch(r"--h:\d+", one) for one in shown.attributes("style", "mark"))
    assert {*shown.attributes("tabindex", "mark")} == {"0"}


def test_hostile_text_is_shown_as_what_it_is_and_nothing_is_fetched(call, lines, page):
    turns = [{"speaker": HOSTILE, "text": f"{HOSTILE} {MAIL}"}]
    hostile = {"conversation_id": HOSTILE, "context": HOSTILE, "turns": turns}
    shown = page(hostile, TALK)
    assert not {"script", "link", "img", "iframe", "form"} & {tag for tag, _ in shown.elements}
    assert shown.attributes("href", "a") == ["#talk-1", "#talk-2"]
    assert shown.source.count("<style>") == shown.source.count("</style>") == 1
    assert not [words for words in ("\u202e", "\x1b", "url(", "@import") if words in shown.source]
    assert "default-src 'none'" in shown.source
    assert "{{ 7*7 }}" in shown.source
    assert "ontains personal data – for restricted eyes" in shown.source
    run = call("preview", "--input", lines(hostile))
    assert not {"\x1b", "\u202e"} & {*run.out}
    assert "\\u001b[2J" in run.out


@pytest.mark.parametrize(
    ("text", "direction"), [(f"مرحبا {MAIL}", "rtl"), (f"«{MAIL}», שלום", "ltr"), ("12 …", "auto")]
)
def test_both_sides_read_in_the_direction_of_the_text_before(page, text, direction):
    shown = page({"conversation_id": "c1", "turns": [{"text": text}]})
    assert [told["dir"] for _, told in shown.elements if told.get("class") == "said"] == [direction] * 2


def test_before_and_after_are_shown_side_by_side(call, lines, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert call(
        "preview", "--input", lines({**TALK, "turns": [{"speaker": "a", "text": OTHER}]})
    ).out.splitlines() == [
        "c1 · sales · risk 0, by model",
        "before                       │ after",
        "─" * 28 + "─┼─" + "─" * 28,
        f"a: «{OTHER}»          │ a: [EMAIL_ADDRESS_1]",
        "",
    ]


@pytest.mark.parametrize("width", [10, 40, 73, 200])
def test_lines_are_wrapped_without_losing_characters(call, lines, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    text = f"{MAIL} " + "Ｗ" * 90 + " e\u0301" * 40 + " we spoke about it" * 20 + "\nnext\tline " + "x" * 150
    shown = call(
        "preview", "--input", lines({"conversation_id": "c1", "turns": [{"text": text}]})
    ).out.splitlines()
    assert max(map(display_width, shown)) <= max(width, 40)
    left = [line.partition("│")[0] for line in shown[3:] if line]
    assert re.sub(r"\s", "", text) == re.sub(r"[\s«»]", "", "".join(left))
    assert len({*map(display_width, left)}) == 1


def test_a_preview_shows_what_anonymize_writes(call, tacenda, lines, tmp_path):
    path = lines(TALK)
    written = tacenda("anonymize", "--input", path, *RULES).corpus()
    told = json.loads(call("preview", "--why", "c1", "--input", path, "--json").out)
    values = {
        mention["text"]: entity["value"] for entity in told["entities"] for mention in entity["mentions"]
    }
    [record] = written
    for before, after in zip(TALK["turns"], record["turns"], strict=True):
        text = before["text"]  # type: ignore[index]
        for original, value in values.items():
            text = text.replace(original, value)
        assert text == after["text"]
    assert values["Pam Beesly"] == record["turns"][1]["speaker"]


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
@pytest.mark.parametrize("rows", [True, False], ids=["turn rows", "conversations"])
def test_the_first_conversations_of_any_input(call, tmp_path, rows, suffix):
    records = talks(9)
    if rows:
        records = [
            {"conversation_id": talk["conversation_id"], "turn_index": i, **turn}
            for i in range(2)
            for talk in records
            for turn in [talk["turns"][i]]
        ]
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    path = tmp_path / f"in.{suffix}"
    path.write_bytes(gzip.compress(data) if suffix.endswith("gz") else data)
    run = call("preview", "--input", path, "-n", 3)
    shown = sorted(line.split()[0] for line in run.out.splitlines() if line.startswith("c"))
    assert shown == ["c0", "c1", "c2"]
    assert run.out.count(f"«{MAIL}»") == 6
    assert run.out.count("[PERSON_NAME_1]:") == 3
    assert "for restricted eyes" in run.err
    assert "\x1b" not in run.out
    assert call("preview", "--why", "c7", "--input", path).out.startswith("c7")


def test_an_explanation_names_the_entries_that_made_or_kept_a_span(call, lines, tmp_path):
    (tmp_path / "people.txt").write_text("Quokka\n")
    (tmp_path / "decided.yaml").write_text(
        "# by counsel\n"
        "- {suppress: Blue Moon, info_type: ORGANIZATION_NAME}\n"
        f"- {{protect: {MAIL}}}\n"
        "- {protect: nowhere}\n"
    )
    config = tmp_path / "config.yaml"
    word_list = f"{{cloud_storage_path: {{path: {tmp_path}/people.txt}}}}"
    config.write_text(
        f"inspect: {{custom_info_types: [{{info_type: {{name: PERSON_NAME}}, dictionary: {word_list}}}]}}\n"
        f"replacement: {{lists: [{tmp_path}/decided.yaml]}}\n"
    )
    talk = {"conversation_id": "c1", "turns": [{"text": f"Quokka of the blue moon wrote to {MAIL}"}]}
    words = ["preview", "--why", "c1", "--input", lines(talk), "--config", config]
    told = call(*words).out
    assert "rules saw PERSON_NAME, VERY_LIKELY: 'Quokka' in people.txt" in told
    assert "list saw ORGANIZATION_NAME, VERY_LIKELY: decided.yaml, line 2" in told
    assert f'What stays readable by request\n  turn 0, 33-54  "{MAIL}"' in told
    assert "by decided.yaml, line 3" in told
    assert "line 4" not in told
    [kept] = json.loads(call(*words, "--json").out)["kept"]
    assert (kept["text"], kept["by"]) == (MAIL, ["decided.yaml, line 3"])


def test_each_kind_of_agreement_is_explained_in_words():
    kinds = parse_yaml(files("tacenda.transforms.linking").joinpath("names.yaml").read_text("utf-8"))
    assert _AGREEMENTS.keys() == kinds["agreements"].keys()


def _spans(text, *found):
    at = [(text.index(value), value, label) for value, label in found]
    return [{"start": start, "end": start + len(value), "label": label} for start, value, label in at]


def test_each_span_number_and_point_of_an_explanation_has_a_reason(call, lines):
    said = (
        ("Pam Beesly", f"Is it {MAIL}?", [(f"it {MAIL}", "EMAIL_ADDRESS")]),
        ("Pam Beesly", "and xqzz vobly", [("xqzz vobly", "PERSON_NAME")]),
        (
            None,
            f"a\n\x1bb of xqzz vobly at noon, xqzz, {MAIL}",
            [
                ("a\n\x1bb", "PERSON_NAME"),
                ("xqzz vobly", "PERSON_NAME"),
                ("noon", "TIME"),
                ("xqzz,", "PERSON_NAME"),
            ],
        ),
    )
    turns = [{"speaker": who, "text": text, "spans": _spans(text, *found)} for who, text, found in said]
    path = lines({"conversation_id": "g", "context": "sales", "gold": "complete", "turns": turns})
    told = call("preview", "--why", "g", "--input", path).out.splitlines()
    seen = "      rules saw "
    assert [line for line in told if not line.startswith(seen)] == [
        *("g · sales", "", "What was replaced", "", "[PERSON_NAME_1]  PERSON_NAME, 1 mention"),
        '  turn 0 and 1 more  "Pam Beesly"  by speaker label',
        "      its number: the first mention of its entity",
        *("", "[EMAIL_ADDRESS_1]  EMAIL_ADDRESS, 2 mentions"),
        f'  turn 0, 6-27  "{MAIL}"  by rules, VERY_LIKELY',
        "      its number: the first mention of its entity",
        f'  turn 2, 34-55  "{MAIL}"  by rules, VERY_LIKELY',
        "      its number: the same value, as in turn 0",
        *("", "What is left: risk 15, by gold"),
        f'  turn 0  "it {MAIL}"  EMAIL_ADDRESS partial, EMAIL: 2 points',
        '  turn 1  "xqzz vobly"  PERSON_NAME, PERSON_NAME: 5 points',
        '  turn 2  "a\\n\\u001bb"  PERSON_NAME, PERSON_NAME: 5 points',
        '  turn 2  "xqzz vobly"  PERSON_NAME, PERSON_NAME: no points, counted with another',
        '  turn 2  "noon"  TIME, not scored: no points',
        '  turn 2  "xqzz,"  PERSON_NAME, PERSON_NAME: 3 points',
    ]
    assert any(line.startswith(f"{seen}EMAIL_ADDRESS, VERY_LIKELY: pattern ") for line in told)
    assert any(line.startswith(f"{seen}DOMAIN_NAME, LIKELY, 16-27: pattern ") for line in told)


def test_nothing_is_explained_as_nothing(call, lines):
    told = call(
        "preview", "--why", "c1", "--input", lines({"conversation_id": "c1", "turns": [{"text": "hi"}]})
    ).out
    assert told.splitlines() == ["c1", "", "Nothing was replaced", "", "What is left: risk 0, by model"]


def stdin(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.mark.parametrize("end", ["", "\n", "\r\n\t\n"])
def test_redact_keeps_what_it_does_not_replace(capfdbinary, monkeypatch, end):
    stdin(monkeypatch, f"Åsa: {MAIL}{end}".encode())
    assert cli_main(cli.run, ["redact", *RULES]) == 0
    assert capfdbinary.readouterr().out.decode() == f"Åsa: [EMAIL_ADDRESS_1]{end}"


def test_redact_takes_a_config_and_prints_findings_as_json(call, monkeypatch, tmp_path):
    config = tmp_path / "config.yaml"
    config.write_text(
        "inspect:\n"
        "  custom_info_types:\n"
        "    - info_type: {name: BEAST}\n"
        "      dictionary: {word_list: {words: [quokka]}}\n"
        "risk: {labels: {BEAST: unscored}}\n"
    )
    stdin(monkeypatch, f"a quokka to {MAIL}".encode())
    told = json.loads(call("redact", "--config", config, "--json").out)
    assert told["text"] == "a [BEAST_1] to [EMAIL_ADDRESS_1]"
    beast, mail = told["findings"]
    assert (mail["start"], mail["end"], mail["likelihood"]) == (12, 33, "VERY_LIKELY")
    assert (beast["info_type"], told["risk"]["score"]) == ("BEAST", 0)


@tabled("words", "said")
def test_user_errors_are_one_line(call, lines, tmp_path, words, said):
    places = {
        "folder": tmp_path,
        "talks": lines(TALK),
        "broken": lines(b'{"turns": [{"text": 7}], "conversation_id": 1}'),
    }
    run = call(*(word.format(**places) for word in words))
    assert run.code == 2
    assert run.err.startswith("tacenda: ")
    assert len(run.err.splitlines()) == 1
    assert said in run.err


@pytest.mark.parametrize(
    ("text", "code", "out", "err"),
    [
        (b"", 0, "", ""),
        (f"Skriv til {MAIL}, tak. På".encode(), 0, "Skriv til [EMAIL_ADDRESS_1], tak. På", ""),
        (f"Schreib an {MAIL}, bitte. ß".encode(), 2, "", "detect/LanguageNotCovered"),
        (f"请写信给 {MAIL}。\n".encode(), 0, "请写信给 [EMAIL_ADDRESS_1]。\n", ""),
        (b"\x7fELF\x02\x01\xff\xfe\x00", 2, "", "stdin: not UTF-8"),
        (b"a " * 600_000, 2, "", "stdin: longer than 1,000,000 characters; give it in parts"),
    ],
    ids=["empty", "danish", "german", "chinese", "binary", "long"],
)
def test_redact_accepts_any_text_or_gives_a_one_line_error(call, monkeypatch, text, code, out, err):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    run = call("redact")
    assert (run.code, run.out) == (code, out)
    assert err in run.err
    assert len(run.err.splitlines()) == (1 if err else 0)
