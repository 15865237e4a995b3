"""Score: annotators' marks become a score, checked with the paper's own examples, and a verdict."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reviewing.markup import parse
from tests.end_to_end.conftest import counts

# Gardiner et al., CALD-pseudo 2024, tables 2 and 3, as annotated there.
TABLE_2 = [
    "My name is [PERSON_NAME_1] (Green)[MISSED_PERSON_NAME_PARTIAL] from "
    "(Dunder Mifflin)[MISSED_ORGANIZATION_NAME_SPEAKER].",
    "We are no (staples)[MISSED_ORGANIZATION_NAME], the order is B. [NUMERIC_1] C. for A. two.",
    "Write to (M-K two one)[MISSED_EMAIL_PARTIAL] [EMAIL_ADDRESS_1].",
]
TABLE_3 = [
    "I am with (XYZ lawyer)[MISSED_ORGANIZATION_NAME_SPEAKER], see (IRS dot gov)[MISSED_URL].",
    "This is (ABC incorporated)(MISSED_ORGANIZATION_NAME_SPEAKER).",
]
MARC = ["(Marc)[MISSED_PERSON_NAME_PARTIAL] "] * 4
VARIANTS = [f"({name})[MISSED_PERSON_NAME_PARTIAL#m]" for name in ("Mark", "Marc", "M-A-R-K")]
UNJOINED = [text.replace("#m", "") for text in VARIANTS]


def _record(conversation_id, texts, **more):
    return {
        "conversation_id": conversation_id,
        "turns": [{"speaker": "Person 1", "text": text} for text in texts],
        **more,
    }


@pytest.fixture
def score(tacenda, lines):
    """``score(record, …, words=…)``: a run over records."""
    return lambda *records, words=(): tacenda("score", "--input", lines(*records), *words)


def _scores(run):
    return {row["conversation_id"]: row["score"] for row in run.risk()}


def _inline(record, folder):
    return record, []


def _in_records(record, folder):
    turns = []
    for turn in record["turns"]:
        plain, spans = parse(turn["text"])
        turns.append({**turn, "text": plain, "spans": [span._asdict() for span in spans]})
    return {**record, "turns": turns}, []


def _in_files(record, folder):
    spans, (plain, _) = folder / "spans.parquet", _in_records(record, folder)
    rows = [
        {"conversation_id": record["conversation_id"], "turn": number, **span}
        for number, turn in enumerate(plain["turns"])
        for span in turn.pop("spans")
    ]
    pq.write_table(pa.Table.from_pylist(rows), spans)
    return plain, ["--spans", spans]


@pytest.mark.parametrize("form", [_inline, _in_records, _in_files])
@pytest.mark.parametrize(
    ("texts", "risk", "score"),
    [
        (TABLE_2, "preset: worked_example", 6),
        (TABLE_2, "", 7),
        (TABLE_3, "", 6),
        (MARC, "", 3),
        (VARIANTS, "", 3),
        (UNJOINED, "", 9),
        (UNJOINED, "variant_clustering: true", 3),
    ],
)
def test_the_papers_examples_in_all_three_forms(tacenda, lines, tmp_path, form, texts, risk, score):
    record, more = form(_record("t", texts), tmp_path)
    (config := tmp_path / "c.yaml").write_text(f"risk: {{{risk}}}")
    run = tacenda("score", "--input", lines(record), "--config", config, *more)
    assert [(row["source"], row["score"]) for row in run.risk()] == [("human", score)]
    assert run.code == (0 if score < 5 else 3)
    assert not (run.folder / "corpus").exists()


def test_an_unknown_tag_is_quarantined_and_not_scored_as_zero(score):
    texts = ["(x)[MISSED_NO_SUCH_THING]", "(x)[MISSED_URL", "(Marc)[MISSED_PERSON_NAME_PARTIAL]", "hello"]
    run = score(*(_record(name, [text]) for name, text in zip("abcd", texts, strict=True)))
    assert run.code == 3
    assert "2 reviewed rows are in quarantine" in run.out
    assert _scores(run) == {"c": 3}
    told = [(q["stage"], q["error"]) for q in run.quarantine()]
    assert told == [("score", "UnknownTag"), ("score", "MalformedMarkup")]
    assert run.rows() == counts(4, 2, quarantined=2)


def test_unreviewed_conversations_are_not_in_the_figures(score):
    records = [_record(f"u{i}", ["hello"], context="sales") for i in range(3)]
    records.append(_record("a", ["(Marc)[MISSED_PERSON_NAME_PARTIAL]"], context="sales"))
    for words, told, scores in (
        ((), (1, 3, 3.0), {"a": 3}),
        (("--reviewed",), (4, 0, 0.75), {"u0": 0, "u1": 0, "u2": 0, "a": 3}),
    ):
        run = score(*records, words=words)
        figures = run.json("statistics.json")["sources"]["human"]["contexts"]["sales"]
        assert (figures["count"], figures["unreviewed"], figures["mean"]) == told
        assert _scores(run) == scores


def test_an_empty_reader_means_unread(score):
    """And a corpus that nobody read is held."""
    records = [_record(f"c{i}", ["hello"], reviewed_by="" if i < 3 else "Pam") for i in range(40)]
    run = score(*records, words=("--reviewed",))
    assert (run.folder / "_SCORED").exists()
    assert "3 conversations have no marks, and no sign that anybody read them" in run.out
    for untouched, words in ((records[:3], ("--reviewed",)), ([_record("a", ["hello"])], ())):
        run = score(*untouched, words=words)
        assert run.code == 3
        assert "no conversation was scored" in run.out


@pytest.mark.parametrize(
    ("more", "by"),
    [
        ([], "Jim (10) and unnamed people (30)"),
        (["--reviewer", "Pam Beesly"], "Pam Beesly (30) and Jim (10)"),
    ],
)
def test_readers_are_reported(score, more, by):
    records = [_record(f"c{i}", ["hello"], **({"reviewed_by": "Jim"} if i < 10 else {})) for i in range(40)]
    run = score(*records, words=("--reviewed", *more))
    assert run.code == 0, run.out
    assert f"a review of 40 conversations by {by}" in run.grounds()
    assert f"by {by}" in run.report
    assert run.manifest["totals"]["readers"] == {"": 30, "Jim": 10}


def test_what_nobody_marked_or_signed_needs_a_reason(score, lines):
    """And nothing that was scored is released by it."""
    marked = [_record(f"m{i}", ["in (May)[MISSED_DATE]"]) for i in range(20)]
    clean = [_record(f"c{i}", ["hello"]) for i in range(20)]
    spans = lines(*({"conversation_id": f"c{i}", "label": None} for i in range(20)))
    markers = {path.name for path in score(*marked, words=("--reviewed",)).folder.glob("_*")}
    assert markers == {"_SCORED"}
    for words in (("--reviewed",), ("--spans", spans)):
        told = score(*clean, words=words).json("_SCORED")
        assert "whose reader nobody names (--reviewer, reviewed_by): 20" in told["lacks"][0]
        assert not score(*clean, words=(*words, "--reviewer", "Pam")).json("_SCORED")["lacks"]


@pytest.mark.parametrize("name", ["", " ", "-", "\u3164", "x" * 101])
def test_a_reviewer_needs_a_name(score, name):
    score(_record("a", ["hi"]), words=("--reviewed", "--reviewer", name)).refused("--reviewer: give a name")


def test_a_review_of_part_of_the_corpus_holds(score):
    records = [_record(f"c{i}", ["hello"]) for i in range(20)]
    records.append(_record("worst", ["(Pam Lee)[MISSED_PERSON_NAME]"]))
    run = score(*records, words=("--reviewed", "--limit", 20))
    assert run.code == 3
    assert "1 reviewed row was left out by --limit" in run.out


def test_reviews_of_other_conversations_hold_the_run(score, lines):
    spans = lines({"conversation_id": "a", "label": None}, {"conversation_id": "zz", "label": None})
    run = score(_record("a", ["hello"]), words=("--spans", spans))
    assert run.code == 3
    assert "2 conversations are reviewed in the spans files, 1 of them" in run.out
    assert score(_record("a", ["hello"]), words=("--spans", "nowhere.jsonl")).refused()


def test_gold_counts_as_gold_zeros_too_and_is_never_added_to_marks(score):
    def marked(name, *labels):
        spans = [{"start": i, "end": i + 1, "label": label} for i, label in enumerate(labels)]
        return {"conversation_id": name, "turns": [{"speaker": "agent", "text": "abcdef", "spans": spans}]}

    gold = [marked("a", "PERSON_NAME", "URL"), marked("b"), marked("c", "EMAIL_ADDRESS")]
    run = score(*gold, _record("h", ["(Marc)[MISSED_PERSON_NAME_PARTIAL]"]))
    told = {
        row["conversation_id"]: (row["source"], row["score"], row["direct_identifier"]) for row in run.risk()
    }
    assert told == {
        "a": ("gold", 5, False),  # a name of one letter is a part of a name
        "b": ("gold", 0, False),
        "c": ("gold", 4, True),
        "h": ("human", 3, False),
    }
    sources = run.json("statistics.json")["sources"]
    assert {name: one["total"]["mean"] for name, one in sources.items()} == {"human": 3.0, "gold": 3.0}


def test_other_shapes_carry_markup_too(score):
    of = {"conversation_id": "t", "speaker": "Person 1"}
    rows = [{**of, "turn_index": i, "text": text} for i, text in enumerate(TABLE_3)]
    assert _scores(score(*rows[::-1])) == {"t": 6}
    chat = {"id": "t", "messages": [{"role": "user", "content": text} for text in TABLE_3]}
    assert _scores(score(chat)) == {"t": 6}


def test_marked_text_is_written_to_no_file(score):
    assert score(_record("a", ["(Zanzibar Lee)[MISSED_PERSON_NAME]"])).holds("Zanzibar") == []
