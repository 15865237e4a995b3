"""The laboratory as a user runs it: each command of ``tacenda lab``, and each option in ``anonymize``."""

import csv
import json
import random
import shutil
from pathlib import Path

import pytest

from tacenda.pipelines.lab import linkability
from tests.cases import tabled
from tests.command import call as run_command
from tests.talks import gold, talk, talks

MAIL = "ann.smith@example-mail.com"
CUT = ("--unit-bytes", 300)


@pytest.fixture
def lab(capsys):
    """``lab("utility", …)``: exit code, stdout and stderr."""
    return lambda *words: run_command(capsys, "lab", *words)


@pytest.fixture
def figures(lab):
    """``figures("utility", …)``: what the command prints as JSON."""

    def run(*words):
        code, out, err = lab(*words, "--json")
        assert code == 0, err
        return json.loads(out)

    return run


def _rows(*paths):
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def _sheet(file, rows):
    rows = list(rows)
    with file.open("w", newline="") as sink:
        writer = csv.DictWriter(sink, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return file


# Mistakes of users, of all commands.

_ESSAY = gold("e1", "It was written by Emil Berg", ("Emil Berg", "PERSON_NAME"), gold="complete")
_PREDICTION = {"variant_of": "a", "group": "g", "gender": "women", "gold": "x", "prediction": "x"}
_SHORT = {"id": "c100", "text": "a table", "task": "booking"}
_LONG = {
    "conversation_id": "c0",
    "customer": "p",
    "turns": [{"text": "so it is what we said then! " * 9}] * 2,
}
_FILES = {
    "calls.jsonl": talks(30),
    "empty.jsonl": "",
    "here.txt": "x",
    "two.jsonl": [_PREDICTION, {**_PREDICTION, "gold": "y"}],
    "short.jsonl": [{"variant_of": "a"}],
    "essay.jsonl": [_ESSAY],
    "tasks.jsonl": [{"id": "c0", "text": "a table", "task": "booking"}],
    "held.jsonl": [_SHORT],
    "rows.jsonl": [{"conversation_id": "a", "turn_index": 0, "speaker": "a", "text": "b"}],
    "one.jsonl": [_LONG],
    "twice.jsonl": [_LONG, {**_LONG, "conversation_id": "c1"}],
    "wrong.jsonl": [{"canary": "c0000", "candidate": "0", "score": "high"}],
}


@tabled("words", "told")
def test_user_errors_are_one_line(words, told, lab, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, said in _FILES.items():
        lines = said if isinstance(said, str) else "".join(json.dumps(one) + "\n" for one in said)
        Path(name).write_text(lines)
    code, _, err = lab(*words.split())
    assert (code, err.count("\n"), told in err) == (2, 1, True), err


@tabled("table", "told")
def test_a_wrong_table_of_shares_is_one_line(lab, table, told, lines, tmp_path):
    (path := tmp_path / "shares.csv").write_text(table, "utf-8")
    words = ("uniqueness", "--detector", "rules", "--input", lines(*talks(3)), "--people", 10)
    code, _, err = lab(*words, "--population", path)
    assert (code, err.count("\n"), told in err) == (2, 1, True), err


# contexts, leak-scan, uniqueness, utility


def test_conversations_with_unusual_words_around_their_data_are_graded(anonymize, lab, figures, tmp_path):
    calm = talks(4, "hello, you can write to p{}@example.org about the order that we sent you last week")
    odd = talk("c4", "zebras in the attic of q@example.org ate all of our violins again")
    folder = anonymize([*calm, odd]).folder
    told = figures("contexts", folder, "--output", tmp_path / "contexts.json")
    assert told["levels"] == {"green": 4, "yellow": 0, "red": 1, "undefined": 0}
    assert told["by_conversation"][0]["percent"] == 100
    assert json.loads((tmp_path / "contexts.json").read_text()) == told
    assert "green: 4, yellow: 0, red: 1" in lab("contexts", folder)[1]
    assert figures("contexts", folder, "--conversations", 1)["levels"]["undefined"] == 1
    code, _, err = lab("contexts", anonymize(talks(1)).folder)
    assert (code, "has no tokens" in err, err.count("\n")) == (2, True, 1)


def test_outputs_with_findings_are_counted_by_task_and_bounded(lines, tmp_path, lab, figures):
    texts = [f"[PERSON_NAME_1] called about order {i}." for i in range(39)]
    texts.append(f"Write to {MAIL}, or again to {MAIL}.")
    outputs = lines(*({"id": f"o{i}", "text": text, "task": "ab"[i % 2]} for i, text in enumerate(texts)))
    words = ("leak-scan", "--detector", "rules", "--input", outputs)
    of_tasks = (*words, "--task", "task", "--output", tmp_path / "leaks.json")
    told = figures(*of_tasks)
    assert (told["total"]["outputs"], told["total"]["info_types"]) == (40, {"EMAIL_ADDRESS": 1})
    assert told["total"]["at_most"] == pytest.approx(0.1132, abs=1e-4)
    assert [told["tasks"][task]["leaking"] for task in "ab"] == [0, 1]
    written = (tmp_path / "leaks.json").read_text()
    assert json.loads(written)["leaking"] == {"b": ["o39"]}
    assert MAIL not in written + json.dumps(told)
    assert figures(*of_tasks, *CUT, "--workers", 2) == told
    assert lab(*words, "--at-most", ".2")[0] == 0
    code, out, _ = lab(*words, "--at-most", ".1")
    assert (code, "HELD" in out) == (3, True)


def test_only_generated_turns_are_searched(lines, figures):
    messages = [{"role": "user", "content": f"I am {MAIL}"}, {"role": "assistant", "content": "Hello"}]
    file = lines({"id": "a", "messages": messages}, {"id": "b", "messages": messages[:1]})
    words = ("leak-scan", "--detector", "rules", "--input", file)
    told = figures(*words, "--generated", "assistant")["total"]
    assert (told["outputs"], told["leaking"]) == (1, 0)
    assert figures(*words)["total"]["leaking"] == 2


def test_what_few_people_share_is_counted(lines, tmp_path, lab, figures):
    texts = ["Hello.", "I am 34 years old.", f"I am 91 years old. Write to {MAIL}."]
    corpus = lines(*({"id": f"c{i}", "text": text} for i, text in enumerate(texts)), b"{oops")
    table = tmp_path / "shares.csv"
    table.write_text(f"info_type,value,share\nAGE,34,0.01\nAGE,91,0.0001\nEMAIL_ADDRESS,{MAIL},0.000001\n")
    words = ("uniqueness", "--detector", "rules", "--input", corpus, "--population", table)
    words = (*words, "--people", 1_000_001)
    told = figures(*words, "--output", tmp_path / "figures.json")
    assert (told["conversations"], told["with_values"], told["unreadable"]) == (3, 2, 1)
    assert told["info_types"] == {"AGE": 2, "EMAIL_ADDRESS": 1}
    # One of 10,000, and one whom nobody is like.
    assert (told["unique"], told["small"]) == (1.0, 1)
    assert told["average_risk"] == pytest.approx(1.0001 / 3, abs=1e-4)
    assert json.loads((tmp_path / "figures.json").read_text()) == told
    assert figures(*words, "--unit-bytes", 20) == told
    out = lab(*words)[1]
    assert "assumed: values are independent" in out
    assert "unreadable: 1" in out
    assert MAIL not in out


def test_the_cost_of_a_version_is_told_and_written(lines, tmp_path, lab, figures):
    said = {"booking": "i want to book a table for two", "billing": "there is an error on the bill"}

    def written(numbers, person):
        tasks = [(i, sorted(said)[i % 2]) for i in numbers]
        return lines(*({"id": f"c{i}", "text": f"{said[t]}, i am {person}", "task": t} for i, t in tasks))

    version = written(range(39), "[PERSON_NAME_1]")
    words = ["utility", "--original", written(range(40), "Ann Lee"), "--anonymized", f"tokens={version}"]
    words += ["--held-out", written(range(100, 120), "Ann Lee"), "--task", "task", "--bootstrap", 50]
    told = figures(*words)
    # A conversation that the version lacks is used of no version.
    assert (told["records"], told["held_out"], told["classes"]) == (39, 20, 2)
    # Ann and Lee are gone of ten or eleven words, and a token is there.
    assert 0.8 < told["versions"]["tokens"]["rouge_1"] < 0.9
    assert told["versions"]["tokens"]["f1_cost"] == 0
    out = lab(*words, "--output", tmp_path / "utility.json")[1]
    assert "rouge_1" in out
    assert json.loads((tmp_path / "utility.json").read_text()) == told
    assert "lee" not in (json.dumps(told) + out).lower()
    assert figures(*words, *CUT) == told


# canaries


@pytest.fixture
def chats(lines):
    said = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi"}]
    return lines(*({"id": f"k{i}", "messages": said, "weight": 1.5} for i in range(30)))


@pytest.fixture
def planted(lab, tmp_path):
    """``planted(corpus, …)``: the folder of a corpus with six canaries."""
    counter = iter(range(9))

    def plant(corpus, *words):
        folder = tmp_path / f"planted{next(counter)}"
        options = ("--count", 6, "--copies", 2, "--candidates", 127, *words)
        assert lab("canaries", "plant", "--input", corpus, "--output", folder, *options)[0] == 0
        return folder

    return plant


def test_canaries_are_planted_and_everything_else_is_the_input(chats, planted):
    folder = planted(chats)
    told = (folder / "canaries.json").read_text()
    about = json.loads(told)
    texts = {row["candidate"]: row["text"] for row in _rows(folder / "candidates.jsonl")}
    sentences = [texts[one["planted"]] for one in about["canaries"]]
    after = _rows(*(folder / "corpus").iterdir())
    said = [row["messages"][-1]["content"] for row in after]
    assert [sum(sentence in text for text in said) for sentence in sentences] == [2] * 6
    for row in after:
        row["messages"][-1]["content"] = "hi"
    assert after == _rows(chats)
    assert (about["records"], about["planted"]) == (30, 12)
    # Known by hashes, never as text.
    assert not any(sentence in told for sentence in sentences)
    in_parts = _rows(*sorted((planted(chats, *CUT) / "corpus").iterdir()))
    assert in_parts == _rows(*(folder / "corpus").iterdir())


def test_gold_is_not_copied(lines, planted):
    records = [{**_ESSAY, "conversation_id": f"c{i}", "level": "A"} for i in range(30)]
    (written,) = (planted(lines(*records)) / "corpus").iterdir()
    told = {(row["level"], "gold" in row, "spans" in row["turns"][0]) for row in _rows(written)}
    assert told == {("A", False, False)}


def test_exposure_separates_a_memorising_model_from_another(chats, lines, lab, figures, planted):
    folder = planted(chats)
    own = {one["planted"] for one in json.loads((folder / "canaries.json").read_text())["canaries"]}
    rows = _rows(folder / "candidates.jsonl")
    words = ("canaries", "exposure", "--planted", folder / "canaries.json", "--scores")

    def scored(score):
        told = [{"canary": row["canary"], "candidate": row["candidate"]} for row in rows]
        return lines(*({**one, "score": score(i, one["candidate"])} for i, one in enumerate(told)))

    scores = scored(lambda i, candidate: 1.0 if candidate in own else 5.0 + i % 7)
    memorised = figures(*words, scores)
    assert "mean_without_memory" in lab(*words, scores)[1]
    assert (memorised["total"]["mean"], memorised["total"]["canaries"]) == (7.0, 6)
    assert memorised["total"]["p"] < 1e-6
    assert {one["rank"] for one in memorised["canaries"]} == {1.0}
    ignorant = figures(*words, scored(lambda i, candidate: float(int(candidate, 16) % 997)))
    assert ignorant["total"]["p"] > 0.01
    for wrong, told in ((1, "have no score"), ("high", "not a number")):
        code, _, err = lab(*words, lines({"canary": "c0000", "candidate": "0", "score": wrong}))
        assert (code, told in err, err.count("\n")) == (2, True, 1)
    assert lab("canaries", "exposure", "--planted", scores, "--scores", scores)[0] == 2


# linkability

_HABITS = ("!!! ", " ... ", " -- ", ", y'know, ", " ;) ", "?? ")
_PLAIN = ("the", "order", "a", "call", "bill", "we", "you", "it", "is", "not", "and", "what", "when", "phone")


@pytest.fixture
def styles(lines):
    """Six people with a habit each, in two conversations with an agent who speaks like all agents."""
    rng = random.Random(3)

    def said(habit):
        return "".join(rng.choice(_PLAIN) + (habit if rng.random() < 0.3 else " ") for _ in range(60))

    records = []
    for number in range(12):
        turns = [
            {"speaker": speaker, "text": said(_HABITS[number % 6] if speaker == "Caller" else " ")}
            for _ in range(2)
            for speaker in ("Agent", "Caller")
        ]
        records.append({"conversation_id": f"c{number}", "customer": f"p{number % 6}", "turns": turns})
    return lines(*records)


def test_a_habit_joins_conversations_of_one_person(styles, tmp_path, lab, figures):
    styles.write_text(styles.read_text() + "{oops\n")
    words = ("linkability", "--input", styles, "--person", "customer", "--speaker")
    told = figures(*words, "Caller", "--output", tmp_path / "style.json")
    assert (told["compared"], told["texts"], told["joined"], told["unreadable"]) == (6, 12, 6, 1)
    assert told["by_chance"] == pytest.approx(1 / 11, abs=1e-6)
    assert told["above_chance"]
    assert json.loads((tmp_path / "style.json").read_text()) == told
    assert figures(*words, "Caller", "--unit-bytes", 2000) == told
    out = lab(*words, "Caller")[1]
    assert "more often than chance" in out
    assert "unreadable: 1" in out
    # Agents, who are alike, are not told apart by it.
    assert not figures(*words, "Agent")["above_chance"]
    # Without people, halves of conversations are compared.
    of_halves = ("linkability", "--input", styles, "--speaker", "Caller")
    halves = figures(*of_halves)
    assert (halves["compared"], halves["texts"], halves["by"]) == (12, 24, None)
    assert halves["joined"] > 0
    fewer = figures(*of_halves, "--people", 5)
    assert (fewer["compared"], fewer["is_sample"]) == (5, True)


def test_the_figures_are_entered_into_manifest_and_report(styles, anonymize, call, lab, figures, tmp_path):
    run = anonymize(styles)
    told = figures(
        "linkability", "--input", run.folder / "corpus", "--speaker", "Caller", "--into", run.folder
    )
    manifest = run.manifest
    assert manifest["linkability"] == {**told, "speakers": ["Caller"]}
    assert f"style joins {told['joined']} of" in run.report
    assert call("verify", run.folder) == 0
    true = (run.folder / "manifest.json").read_text("utf-8")
    manifest["linkability"]["joined"] += 1
    (run.folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert call("verify", run.folder) == 3
    (run.folder / "manifest.json").write_text(true, "utf-8")
    (tmp_path / "ids.txt").write_text("c3\n", "utf-8")
    call("corpus", "erase", run.folder, "--conversations", tmp_path / "ids.txt")
    assert "linkability" not in run.manifest
    assert call("verify", run.folder) == 0
    code, _, err = lab("linkability", "--input", styles, "--into", run.folder)
    assert (code, "give --input" in err) == (2, True)


def test_what_keeps_the_figures_out_is_told_before_anything_is_measured(styles, anonymize, lab, monkeypatch):
    out = anonymize(styles).folder
    measured = []
    monkeypatch.setattr(linkability, "drawn", lambda *_, **__: measured.append(1))
    words = ("linkability", "--input", out / "corpus", "--into", out)
    (out / "history.jsonl").touch()
    signed = "has a signed history, which every change continues; add --signing-key KEY"
    for told in (signed, "'tacenda verify' has the details"):
        code, _, err = lab(*words)
        assert (code, err.count("\n"), told in err, measured) == (2, 1, True, [])
        (out / "history.jsonl").unlink(missing_ok=True)
        (out / "report.html").write_text("other", "utf-8")


def test_a_folder_that_is_changed_while_it_is_measured_gets_no_figures(
    styles, anonymize, call, lab, monkeypatch
):
    run = anonymize(styles)
    (ids := run.folder.parent / "ids.txt").write_text("c3\n", "utf-8")
    measure = linkability.drawn

    def erase_and_measure(*arguments, **more):
        measured = measure(*arguments, **more)
        assert call("corpus", "erase", run.folder, "--conversations", ids) == 0
        return measured

    monkeypatch.setattr(linkability, "drawn", erase_and_measure)
    code, _, err = lab("linkability", "--input", run.folder / "corpus", "--into", run.folder)
    assert (code, "was changed while it was measured; measure it again" in err) == (2, True)
    assert "linkability" not in run.manifest


# bias


@pytest.fixture
def essays(lines):
    text = "Essay {} was written by Emil, who likes trains"
    one = [
        gold(f"e{i}", text.format(i), ("Emil", "PERSON_NAME"), gold="complete", level="A1") for i in range(7)
    ]
    return lines(*one, {**_ESSAY, "conversation_id": "e8"})


def test_variants_and_a_classifiers_predictions_on_them_are_judged(essays, tmp_path, lab):
    words = ("bias", "variants", "--input", essays, "--keep", "level", "--output")
    here, there = tmp_path / "here", tmp_path / "there"
    code, out, _ = lab(*words, here)
    assert code == 0
    assert "a name of several words: 1" in out
    assert lab(*words, there, *CUT)[0] == 0
    made = _rows(*sorted((here / "variants").iterdir()))
    assert (len(made), {row["level"] for row in made}) == (560, {"A1"})
    assert made == _rows(*sorted((there / "variants").iterdir()))
    assert (here / "counts.json").read_bytes() == (there / "counts.json").read_bytes()
    assert all(file.stat().st_mode & 0o077 == 0 for file in (here / "variants").iterdir())
    again, _, err = lab(*words, here)
    assert (again, "is not empty" in err) == (2, True)

    def predicted(row):
        wrong = row["group"] == "arabic" and row["variant_of"] == "e3"
        kept = {key: row[key] for key in ("variant_of", "group", "gender")}
        return {**kept, "gold": row["level"], "prediction": "A2" if wrong else "A1"}

    rows = list(map(predicted, made))
    (tmp_path / "of.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    for file in (tmp_path / "of.jsonl", _sheet(tmp_path / "of.csv", rows)):
        words = ("bias", "report", "--predictions", file, "--output", tmp_path / "report.json")
        code, out, _ = lab(*words)
        report = json.loads((tmp_path / "report.json").read_text())
        assert (code, "only 7 documents" in out) == (0, True)
        assert report["groups"]["arabic"]["eq_opp"] == pytest.approx(-1 / 7, abs=1e-4)
        assert report["flip_rate"] == pytest.approx(1 / 7, abs=1e-4)


def test_our_own_detectors_are_tried_on_the_variants(essays, figures):
    words = ("bias", "detector", "--input", essays, "--detector", "gazetteer")
    report = figures(*words)
    assert (report["documents"], report["variants"], report["eligible"]) == (7, 560, 7)
    assert report["recall"] > 0.5
    assert figures(*words, *CUT) == report


# audit

_WORDS = [
    *("order", "bill", "call", "address", "account", "card", "payment", "window", "phone", "ticket"),
    "plan",
]


def _record(kind, number, **more):
    words = (_WORDS[(number * (k + 2) + k * len(kind)) % len(_WORDS)] + str(number) for k in range(20))
    return talk(f"{kind}{number}", f"{kind} {' '.join(words)}", **more)


@pytest.fixture
def corpora(lines):
    """A source, and a synthetic corpus with an exact copy, a near one, and a record twice."""
    source = [_record("source", i, drug=f"d{i % 2}", effect=f"e{i % 3}") for i in range(40)]
    synthetic = [_record("made", i, drug=f"d{i % 2}", effect=f"e{i % 5}") for i in range(20)]
    exact = {**source[3], "conversation_id": "exact"}
    near = json.loads(json.dumps({**source[7], "conversation_id": "near"}).replace("bill", "bills"))
    twice = {**synthetic[0], "conversation_id": "twice"}
    return lines(*source), lines(*synthetic, exact, near, twice)


def test_copies_are_found_listed_and_hold_the_corpus(corpora, tmp_path, lab):
    pytest.importorskip("scipy")
    words = ("audit", "compare", "--source", corpora[0], "--synthetic", corpora[1], "--events", "drug,effect")
    one, other = tmp_path / "one", tmp_path / "other"
    code, out, _ = lab(*words, "--output", one)
    assert (code, "HELD" in out) == (3, True)
    report = json.loads((one / "audit.json").read_text())
    hits = {"exact": 1, "near_hits": 2, "near_distinct": 2, "distinct": 2, "repeated_within_synthetic": 1}
    assert report["copies"] == {"threshold": 0.9, "searched": 40, "share_of_source_searched": 1.0, **hits}
    assert [(copy["synthetic"], copy["source"], copy["exact"]) for copy in _rows(one / "copies.jsonl")] == [
        ("exact", "source3", True),
        ("near", "source7", False),
    ]
    assert report["diversity"]["source"]["samples"] == 5
    assert report["diversity"]["source"]["records"] == [23.0, 0.0]
    assert report["frequencies"]["not_in_source"]
    assert not (one / "work").exists()
    assert lab(*words, "--output", other, *CUT)[0] == 3
    for name in ("audit.json", "copies.jsonl"):
        assert (other / name).read_bytes() == (one / name).read_bytes()


def test_a_corpus_without_copies_passes_and_what_is_unreadable_is_reported(lines, tmp_path, lab):
    source = lines(*(_record("source", i) for i in range(9)), b"{broken")
    synthetic = lines(*(_record("made", i) for i in range(5)))
    words = ("audit", "compare", "--source", source, "--synthetic", synthetic, "--output", tmp_path / "out")
    code, out, _ = lab(*words)
    assert code == 0
    assert "share_of_source_searched: 0.9" in out
    assert "unreadable: {source: 1}" in out


def test_blinded_questions_are_drawn_and_answers_evaluated(corpora, tmp_path, lab, figures):
    asked = tmp_path / "asked"
    words = ("audit", "questions", "--source", corpora[0], "--synthetic", corpora[1], "--count", "8")
    assert lab(*words, "--output", asked)[0] == 0
    with (asked / "sheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    assert set(rows[0]) == {"number", "text", "natural", "comprehensible", "correct", "identifying"}
    key = json.loads((asked / "key.json").read_text())["records"]
    assert sorted(record["origin"] for record in key.values()) == ["source"] * 8 + ["synthetic"] * 8

    def answered(name, identifying):
        said = dict.fromkeys(("natural", "comprehensible", "correct"), "Yes")
        of = [{**row, **said, "identifying": "yes" if row["number"] in identifying else "no"} for row in rows]
        return _sheet(tmp_path / name, of)

    one, other = answered("one.csv", {"3", "7"}), answered("other.csv", {"3"})
    words = ("audit", "answers", "--key", asked / "key.json", "--sheets", one, other)
    report = figures(*words)
    told = report["questions"]["identifying"]
    assert told["cells"]["yes_yes"]["total"] == told["cells"]["yes_no"]["total"] == 1
    assert told["kappa"] == pytest.approx(0.6364, abs=1e-4)
    assert report["questions"]["natural"]["kappa"] is None
    assert report["identifying"] == sorted(key[number]["id"] for number in ("3", "7"))
    assert "identifying" in lab(*words)[1]
    one.write_text(one.read_text().replace("Yes", "perhaps", 1))
    code, _, err = lab(*words)
    assert (code, err.count("\n"), "answer yes or no" in err) == (2, 1, True)


# The options in ``anonymize``, and what is said without the extra.

TINY = Path(__file__).parents[1] / "golden" / "tiny_masked_lm"
_DECISION = {"rule": "binary", "threshold": 0.001, "info_type": "PERSON_NAME"}
OPTIONS = {
    "hidden_in_plain_sight": {"replacement": {"default": "hidden_in_plain_sight", "secret": "env:A_SECRET"}},
    "random": {"replacement": {"default": "random", "secret": "env:A_SECRET"}},
    "masked_lm": {
        "replacement": {"default": "masked_lm", "masked_lm": {"path": "tiny"}, "secret": "env:A_SECRET"}
    },
    "masked_lm_detector": {"models": [{"path": "tiny", "languages": ["en"], "decision": _DECISION}]},
    "reconcile": {"entities": {"reconcile": "paper"}},
}


@pytest.fixture
def with_option(anonymize, tmp_path, monkeypatch):
    monkeypatch.setenv("A_SECRET", "a secret of thirty-two letters!!")

    def run(name):
        shutil.copytree(TINY, tmp_path / "tiny")
        config = json.dumps(OPTIONS[name]).replace('"tiny"', json.dumps(str(tmp_path / "tiny")))
        detector = "model" if name == "masked_lm_detector" else "gazetteer"
        said = [talk("a", "hello Anna Svensson, may I call you Anna Svensson")]
        return anonymize(said, "--detector", detector, config=config)

    return run


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_is_usable_in_anonymize(name, with_option):
    run = with_option(name)
    assert run.code in (0, 3), run.err
    assert (len(run.corpus()), run.rows()["out"]) == (1, 1)


@pytest.fixture
def _without_the_extra(monkeypatch):
    monkeypatch.setattr("tacenda.pipelines.config.laboratory.find_spec", lambda name: None)


@pytest.mark.usefixtures("_without_the_extra")
@pytest.mark.parametrize("name", OPTIONS)
def test_without_the_extra_one_line_names_it(name, with_option):
    with_option(name).refused(f"{name} is research and needs scipy: pip install 'tacenda[lab]'")


@pytest.mark.usefixtures("_without_the_extra")
def test_without_the_extra_so_does_the_command(lab):
    code, _, err = lab("bias", "report")
    assert (code, "pip install 'tacenda[lab]'" in err) == (2, True)


def test_names_that_stand_out_among_surrogates_are_counted_only(anonymize, tmp_path, monkeypatch):
    """Whatever the units; the ids are told of conversations to look at."""
    monkeypatch.setenv("A_SECRET", "a secret of thirty-two letters!!")
    (people := tmp_path / "people.yaml").write_text("- {suppress: Ann Lee, info_type: PERSON_NAME}\n")
    config = {"replacement": {**OPTIONS["hidden_in_plain_sight"]["replacement"], "lists": [str(people)]}}
    records = [talk(f"c{i:02}", "Ann Lee is here. Garcia and Garcia") for i in range(30)]
    records += [talk(f"d{i}", "Ann Lee") for i in range(3)]
    one, many = (anonymize(records, "--unit-bytes", size, config=config) for size in (1 << 20, 500))
    told = one.manifest["hidden_in_plain_sight"]
    look_at = [f"c{i:02}" for i in range(20)]
    assert told == {"conversations": 33, "name_shown": 0, "name_suspected": 30, "look_at": look_at}
    assert many.manifest["hidden_in_plain_sight"] == told
    assert many.manifest["units"]["rows"] > 1
    assert "Names are hidden among surrogates in 33 conversations" in one.report
    assert "c00, c01" in one.report
    assert "Garcia" not in one.report + json.dumps(one.manifest)


# Clusters reconciled by the rules of PSILENCE: who stays readable, who never does, and where that is told.

_PARTY, _LAWYER, _JUDGE, _SEEN, _SPEAKING = "Olga Petrova", "Jo Doe", "Maria Kuan", "Bill Scott", "Ada Moss"
_NAMES = [_PARTY, _LAWYER, _JUDGE, _SEEN, _SPEAKING, "William Scott"]
_HEARING = {
    "conversation_id": "case-1",
    "turns": [
        {"speaker": "agent", "text": f"For the claimant {_PARTY}: counsel {_LAWYER}."},
        {"speaker": _SPEAKING, "text": f"I am counsel {_SPEAKING}, and {_SEEN} saw it."},
        {"speaker": "agent", "text": f"Judge {_JUDGE} asked William Scott about {_PARTY}."},
    ],
}
# The case's own data says who is a party; all other names are known as names.
_RECONCILED = {
    "entities": {"reconcile": "paper"},
    "inspect": {
        "custom_info_types": [
            {"info_type": {"name": name}, "dictionary": {"word_list": {"words": words}}}
            for name, words in (("PARTY", [_PARTY]), ("PERSON_NAME", _NAMES[1:]))
        ]
    },
}


def test_public_roles_stay_and_all_others_are_witnesses(anonymize, tmp_path):
    restricted = tmp_path / "restricted"
    run = anonymize([_HEARING], "--dictionary", restricted, "--format", "jsonl.zst", config=_RECONCILED)
    assert run.code == 0, run.err
    assert run.corpus()[0]["turns"] == [
        {"speaker": "agent", "text": f"For the claimant {_PARTY}: counsel {_LAWYER}."},
        {"speaker": "[WITNESS_1]", "text": "I am counsel [WITNESS_1], and [WITNESS_2] saw it."},
        {"speaker": "agent", "text": f"Judge {_JUDGE} asked [WITNESS_2] about {_PARTY}."},
    ]
    assert [row["score"] for row in run.risk()] == [0]
    (ground,) = [what for what in run.grounds() if "entities.reconcile: paper" in what]
    assert "4 findings are readable and not scored (JUDGE 1, LAWYER 1, PARTY 2)" in ground
    assert ground in run.report
    manifest = run.manifest
    assert manifest["config"]["entities"]["reconcile"] == "paper"
    assert manifest["pseudonymised"] is True
    assert run.holds(*_NAMES) == []

    folder = restricted / manifest["fingerprint"][:16]
    assert Path(manifest["dictionary"]["folder"]) == folder
    (path,) = folder.iterdir()
    assert path.stat().st_mode & 0o077 == 0
    (told,) = _rows(path)
    assert told["clusters"]["WITNESS"] == [
        {_SPEAKING: [[1, 13, 21]]},
        {_SEEN: [[1, 27, 37]], "William Scott": [[2, 23, 36]]},
    ]
    assert set(told["clusters"]) == {"WITNESS", "PARTY", "LAWYER", "JUDGE"}
    for clusters in told["clusters"].values():
        for written, places in ((text, at) for cluster in clusters for text, at in cluster.items()):
            assert {_HEARING["turns"][turn]["text"][start:end] for turn, start, end in places} == {written}


def test_a_name_that_a_list_suppresses_is_replaced_whatever_its_role(anonymize, tmp_path):
    (decided := tmp_path / "decided.yaml").write_text(f"- {{suppress: {_JUDGE}, info_type: PERSON_NAME}}\n")
    run = anonymize([_HEARING], config={**_RECONCILED, "replacement": {"lists": [str(decided)]}})
    assert run.texts()[2] == f"Judge [WITNESS_3] asked [WITNESS_2] about {_PARTY}."


@pytest.mark.parametrize(
    ("place", "config", "told"),
    [
        ("out", _RECONCILED, "--dictionary"),
        ("out/dictionary", _RECONCILED, "--dictionary"),
        ("restricted", {}, "entities.reconcile"),
    ],
)
def test_the_dictionary_must_be_outside_the_output_and_reconciled(anonymize, tmp_path, place, config, told):
    run = anonymize([_HEARING], "--dictionary", tmp_path / place, config=config, output=tmp_path / "out")
    run.refused(told)
    assert not (tmp_path / place).exists()
