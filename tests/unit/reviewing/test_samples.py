"""Samples for people to read: at random over the corpus, and determined by its hash."""

import csv
import gzip
import io
import json
import random
import re
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.reviewing.drawing import Hashed, draw, error_of, size_of, sizes, smallest
from tacenda.transforms.reviewing.marks import Mark, Talk
from tacenda.transforms.reviewing.packet import FORMAT, read_packet, render_packet
from tacenda.transforms.reviewing.red_team import COLUMNS, read_sheet, render_page, write_sheet
from tacenda.transforms.reviewing.spans_files import ReviewedSpan, load_reviews
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.bounds import ERROR, Reading
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import tabled

CORPUS = [Hashed(f"c{i}", f"context {i % 3}", f"h{i}") for i in range(300)]


def test_a_sample_depends_on_seed_and_ids_alone():
    assert draw(CORPUS, "a", 30, 5) == draw(reversed(CORPUS), "a", 30, 5)
    assert draw(CORPUS, "a", 30).drawn != draw(CORPUS, "b", 30).drawn
    assert draw(CORPUS, "a", 60).drawn[:30] == draw(CORPUS, "a", 30).drawn


def test_every_context_has_its_share_on_average():
    drawn = Counter(one.context for seed in range(60) for one in draw(CORPUS, str(seed), 30).drawn)
    assert all(abs(count - 600) < 75 for count in drawn.values())


def test_contexts_that_were_drawn_too_rarely_get_more_but_not_those_over_the_corpus():
    rare = [Hashed(f"r{i}", "rare", "h") for i in range(40)]
    sample = draw([*CORPUS, *rare], "a", 50, 5)
    assert len(sample.drawn) == 50
    read = Counter(one.context for one in sample.everything)
    assert read["rare"] >= 5
    assert {one.context for one in sample.extra} <= {"rare"}


def test_small_contexts_ask_nobody_to_read_more_than_the_corpus_does():
    corpus = [Hashed(f"c{i}", f"queue {i % 100}", f"h{i}") for i in range(10_000)]
    assert len(draw(corpus, "a", 150, 5).everything) == 150
    # One beside a large one is read, too.
    corpus = [Hashed(f"c{i}", "large" if i < 9_990 else "", "h") for i in range(10_000)]
    assert sum(one.context == "" for one in draw(corpus, "a", 150, 5).everything) == 5
    assert len(draw(corpus[-3:], "a", 150, 5).everything) == 3


TABLE = ScoreTable.load()
HOSTILE = "</script><script>alert(1)</script><!-- {{ 7*7 }}"

TALKS = [
    Talk("c1", "sales", "h1", (("Jim", "Pam Beesly called"), (None, HOSTILE))),
    Talk(HOSTILE, HOSTILE, "h2", ((HOSTILE, "x"),)),
]

BY_ID = {talk.conversation_id: talk for talk in TALKS} | {"None": TALKS[0]}


def _mark(**changes):
    told = {"turn": 0, "start": 0, "end": 10, "label": "MISSED_PERSON_NAME", "entity": None}
    return {**told, "on_label": False, "text": "Pam Beesly", **changes}


def _export(**changes):
    one = {"conversation_id": "c1", "text_hash": "h1", "read": True, "marks": [_mark()]}
    other = {"conversation_id": HOSTILE, "text_hash": "h2", "read": False, "marks": []}
    return {"format": FORMAT, "reviewed_by": "Pam", "conversations": [{**one, **changes}, other]}


def _data(page):
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(data)


def test_hostile_text_stays_in_the_data():
    page = render_packet(TALKS, TABLE)
    assert _data(page)["conversations"][1]["context"] == HOSTILE
    assert page.count("<script") == 2
    assert "alert" not in page.replace(json.dumps(HOSTILE)[1:-1].replace("<", "\\u003c"), "")


def test_predictions_and_marks_are_hidden_unless_asked_for():
    plain = _data(render_packet(TALKS, TABLE))["conversations"]
    assert [(one["hint"], one["marks"]) for one in plain] == [("", []), ("", [])]
    told = {"c1": "Self-check: 5 points"}
    given = _data(render_packet(TALKS, TABLE, hints=told, marks={"c1": [Mark(0, 0, 3, "MISSED_AGE")]}))
    assert given["conversations"][0]["hint"] == "Self-check: 5 points"
    assert given["conversations"][0]["marks"][0]["label"] == "MISSED_AGE"
    # What was saved in the browser for the one must not appear in the other.
    assert given["packet"] != _data(render_packet(TALKS, TABLE))["packet"]


def test_every_tag_can_be_chosen_and_speakers_have_no_rows_of_their_own():
    tags = {one["tag"]: one["speaker"] for one in _data(render_packet(TALKS, TABLE))["tags"]}
    assert {*tags, *(f"{tag}_SPEAKER" for tag in tags if tags[tag])} == {*TABLE.rows}


def test_an_export_comes_back_as_readings_of_what_was_read():
    (reading,) = read_packet(_export(), BY_ID, TABLE, "file")
    assert (reading.conversation_id, reading.reader) == ("c1", "Pam")
    assert reading.marks == (Mark(0, 0, 10, "MISSED_PERSON_NAME"),)
    (numbered,) = read_packet(_export(marks=[_mark(entity=3)]), BY_ID, TABLE, "file")
    assert numbered.marks[0].entity == "3"


@tabled("changes", "told")
def test_a_wrong_export_is_refused(changes, told):
    for name in ("", " - ", None, 7):
        with pytest.raises(UserError, match="names no reader"):
            read_packet({**_export(), "reviewed_by": name}, BY_ID, TABLE, "file")
    with pytest.raises(UserError, match=told) as raised:
        read_packet(_export(**changes), BY_ID, TABLE, "file")
    assert "Pam" not in str(raised.value)


DRAWN = [Hashed(f"c{i}", "sales", f"h{i}") for i in range(200)]


def _filled(with_data, identified=0, **changes):
    rows = list(csv.DictReader(io.StringIO(write_sheet(DRAWN))))
    for i, row in enumerate(rows):
        row["personal_data_left"] = "yes" if i < with_data else "no"
        row["somebody_identified"] = "Yes" if i < identified else "No"
        row["by"] = "Pam" if i % 2 else "Jim"
    rows[7].update(changes)
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, COLUMNS)
    writer.writeheader()
    writer.writerows(rows)
    return sheet.getvalue()


def test_the_figures_of_the_paper_with_exact_bounds():
    figures = read_sheet(_filled(19), DRAWN, "sheet")
    assert read_sheet("\ufeff" + _filled(19).replace(",", ";"), DRAWN, "sheet") == figures, "a spreadsheet"
    assert (figures["conversations"], figures["members"]) == (200, {"Jim": 100, "Pam": 100})
    names = ("nothing_found", "personal_data_left", "somebody_identified")
    assert [figures[name]["count"] for name in names] == [181, 19, 0]
    assert figures["nothing_found"]["share"] == 0.905
    assert figures["personal_data_left"]["share"] == 0.095
    # Nobody in 200 is at most 1.5 %, not nobody: 1 - .05 ** (1 / 200).
    assert figures["somebody_identified"]["at_most"] == pytest.approx(0.01487, abs=5e-6)
    assert figures["somebody_identified"]["interval_95"] == pytest.approx([0, 0.018275], abs=5e-6)
    # 19 of 200, Clopper and Pearson, by the quantiles of the beta distribution.
    assert figures["personal_data_left"]["interval_95"] == pytest.approx([0.0581696, 0.1443766], abs=5e-7)


@tabled("changes", "told")
def test_a_wrong_row_is_named_and_the_sheet_must_be_whole(changes, told):
    with pytest.raises(UserError, match="2 of 200 conversations are missing"):
        read_sheet("".join(_filled(3).splitlines(keepends=True)[:-2]), DRAWN, "sheet")
    with pytest.raises(UserError, match="no column"):
        read_sheet("conversation_id\nc1\n", DRAWN, "sheet")
    with pytest.raises(UserError, match="not CSV"):
        read_sheet(_filled(3, note="x" * 200_000), DRAWN, "sheet")
    assert read_sheet(_filled(3).replace("\n", "\r"), DRAWN, "sheet") == read_sheet(
        _filled(3), DRAWN, "sheet"
    )
    with pytest.raises(UserError, match=told):
        read_sheet(_filled(3, **changes), DRAWN, "sheet")


def test_the_page_shows_text_as_text_and_nothing_else():
    hostile = "<script>alert(1)</script>\u202eabc"
    page = render_page([Talk(hostile, hostile, "h", ((hostile, hostile),))])
    assert "<script" not in page
    assert "\u202e" not in page
    assert page.count("&lt;script&gt;") == 5


MANY = 10**7


@pytest.mark.parametrize(("read", "at_most"), [(60, 0.049), (150, 0.02), (300, 0.01), (1000, 0.003)])
def test_sizes_bound_the_share_as_the_rule_of_three_says(read, at_most):
    assert size_of(read, MANY, 0.02, ERROR, ()).at_most == pytest.approx(at_most, rel=0.02)


def test_chances_of_a_release_are_those_of_the_binomial_distribution():
    of_150, of_500 = (size_of(n, MANY, 0.02, ERROR, (0.001, 0.005, 0.01)) for n in (150, 500))
    assert of_150.chances == pytest.approx((0.86, 0.47, 0.22), abs=0.005)
    assert (of_500.allowed, of_500.chances[1]) == (4, pytest.approx(0.89, abs=0.005))


def test_looks_spend_no_more_than_the_error_together():
    assert sum(map(error_of, range(1, 50))) == pytest.approx(ERROR)


def test_a_small_corpus_needs_fewer_and_none_needs_more_than_all():
    assert smallest(MANY, 0.02, ERROR) == 149
    assert smallest(500, 0.02, ERROR) < 149
    assert smallest(10, 0.02, ERROR) == 10
    assert [one.number for one in sizes(120, 0.02, ERROR, ())] == [60, 100, 120]


def test_corpora_over_the_limit_are_released_in_at_most_one_of_twenty_looks():
    """Simulated over two looks, the second only where the first did not release."""
    chance, population, released = random.Random(7), 3_000, 0
    marked = round(0.021 * population)
    for _ in range(1_000):
        corpus = chance.sample(range(population), 400)
        for read, error in ((160, error_of(1)), (400, ERROR - error_of(1))):
            direct = sum(one < marked for one in corpus[:read])
            if Reading("human", population, read, direct, direct, error=error).share_direct().at_most <= 0.02:
                released += 1
                break
    assert released <= 0.05 * 1_000


SPAN = {"conversation_id": "a", "turn": 0, "start": 1, "end": 4, "label": "MISSED_PERSON_NAME"}
CLEAN = {"conversation_id": "b", "label": None}


def _lines(*rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _file(folder, name, rows):
    path = folder / name
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(_lines(*rows)))
    elif name.endswith(".zst"):
        path.write_bytes(pa.compress(_lines(*rows), "zstd", asbytes=True))
    else:
        path.write_bytes(_lines(*rows))
    return str(path)


@pytest.mark.parametrize("name", ["s.jsonl", "s.jsonl.gz", "s.jsonl.zst", "s.parquet"])
def test_every_kind_of_file_says_the_same(tmp_path, name):
    rows = [{**SPAN, "entity": None}, {**SPAN, "turn": 2, "entity": "p1"}, CLEAN]
    assert load_reviews([_file(tmp_path, name, rows)]) == {
        "a": [
            ReviewedSpan(0, None, AnnotatedSpan(1, 4, "MISSED_PERSON_NAME")),
            ReviewedSpan(2, None, AnnotatedSpan(1, 4, "MISSED_PERSON_NAME", "p1")),
        ],
        "b": [],
    }


def test_other_names_and_numbers_for_ids(tmp_path):
    row = {"id": 7, "turn": 1, "part": "content.0.text", "start": 0, "end": 1, "tag": "URL", "entity_id": 3}
    assert load_reviews([_file(tmp_path, "s.jsonl", [row])]) == {
        "7": [ReviewedSpan(1, "content.0.text", AnnotatedSpan(0, 1, "URL", "3"))]
    }


@tabled("columns", "entity")
def test_an_entity_is_the_first_that_somebody_named(tmp_path, columns, entity):
    (review,) = load_reviews([_file(tmp_path, "s.parquet", [{**SPAN, **columns}])])["a"]
    assert review.span.entity == entity


def test_files_add_up_and_blank_lines_are_ignored(tmp_path):
    one, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_bytes(b"\n" + _lines(SPAN) + b"  \n\n")
    other.write_bytes(_lines(SPAN, CLEAN)[:-1])
    assert {key: len(spans) for key, spans in load_reviews([str(one), str(other)]).items()} == {
        "a": 2,
        "b": 0,
    }
    assert load_reviews([]) == {}


@tabled("row", "told")
def test_a_row_that_is_no_span_is_named_and_never_quoted(tmp_path, row, told):
    path = tmp_path / "s.jsonl"
    path.write_bytes(_lines(CLEAN, row))
    with pytest.raises(UserError) as caught:
        load_reviews([str(path)])
    message = str(caught.value)
    assert told in message
    assert message.startswith((f"{path} row 2: ", f"{path} line 2: "))
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.jsonl", b"{oops Pam"),
        ("s.jsonl", b"\xff\xfe{}"),
        ("s.jsonl", b"PAR1\x00\x00"),
        ("s.jsonl.gz", b"no gzip"),
        ("s.jsonl.gz", gzip.compress(b'{"a": 1}\n' * 99, mtime=0)[:-20]),
        ("s.jsonl.zst", b"no zstd"),
        ("s.parquet", b""),
        ("s.parquet", b"PAR1 garbage PAR1"),
        ("s.parquet", b'{"conversation_id": "a"}'),
    ],
)
def test_unreadable_files_are_user_errors(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserError) as caught:
        load_reviews([str(path)])
    assert str(path) in str(caught.value)
    assert "Pam" not in str(caught.value)


def test_text_of_a_parquet_file_that_is_no_text_and_what_is_no_file(tmp_path):
    labels = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff\xfe"], pa.binary()).buffers())
    table = pa.table({"conversation_id": ["a"], "turn": [0], "start": [0], "end": [1], "label": labels})
    pq.write_table(table, tmp_path / "s.parquet")
    for path in (tmp_path / "s.parquet", tmp_path / "nowhere.jsonl", tmp_path):
        with pytest.raises(UserError):
            load_reviews([str(path)])
