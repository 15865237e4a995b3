"""A page to mark in a real browser: everything by keyboard, its export, and hostile text in every field."""

import json
from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.transforms.reviewing.marks import Mark, Talk
from tacenda.transforms.reviewing.packet import read_packet, render_packet
from tacenda.transforms.scoring.score_table import ScoreTable

pytestmark = pytest.mark.slow
TABLE = ScoreTable.load()
OWN = "document.title='owned'"
HOSTILE = f'</script></style></title><script>{OWN}</script>"\'><img src=x onerror="{OWN}">'
TALKS = [
    Talk(
        "c1",
        "sales",
        "h1",
        (
            ("agent", "Hello 😀 Pam Beesly, this is [PERSON_NAME_1] of Dunder Mifflin."),
            ("Jim Halpert", "Pam said so. Zoë-Ann too."),
        ),
    ),
    Talk(HOSTILE, HOSTILE, "h2", ((HOSTILE, f"\u202e{HOSTILE}"), (None, "مرحبا Pam"))),
]
BY_ID = {talk.conversation_id: talk for talk in TALKS}


@pytest.fixture
def browser(chromium, tmp_path):
    """The browser with a page of the conversations, in which nothing was marked yet."""
    for file in chromium.downloads.iterdir():
        file.unlink()
    page = tmp_path / "page.html"
    page.write_text(render_packet(TALKS, TABLE, hints={"c1": "Self-check: 5 points"}), "utf-8")
    chromium.open(page)
    chromium.evaluate("localStorage.clear()")
    chromium.open(page)
    return chromium


def _exported(browser):
    browser.click("#name")
    browser.write("Pam Beesly")
    browser.press("Enter")
    browser.click("#export")
    return json.loads(browser.downloaded().read_text("utf-8"))


def _marks(browser):
    """What comes back of the first conversation, checked against its text."""
    (reading,) = read_packet(_exported(browser), BY_ID, TABLE, "export")
    assert (reading.conversation_id, reading.reader) == ("c1", "Pam Beesly")
    return reading.marks


def test_everything_is_marked_by_keyboard(browser):
    browser.press("ArrowRight", "Shift+ArrowRight", "1")  # Pam Beesly
    browser.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    browser.press("Shift+ArrowRight", "2", "s")  # Dunder Mifflin, the speaker's
    browser.press("ArrowDown", "1", "p", "e", "e")  # Pam, in part, the same as Pam Beesly
    browser.press("l", "Shift+ArrowRight", "1")  # the label
    browser.press("Enter")
    assert browser.text("#progress") == "1 of 2 read"
    assert _marks(browser) == (
        Mark(0, 8, 18, "MISSED_PERSON_NAME", "1"),
        Mark(0, 47, 61, "MISSED_ORGANIZATION_NAME_SPEAKER"),
        Mark(1, 0, 11, "MISSED_PERSON_NAME", None, True),
        Mark(1, 0, 3, "MISSED_PERSON_NAME_PARTIAL", "1"),
    )


def test_edges_move_by_characters_and_never_into_a_pair(browser):
    browser.press("ArrowDown", "ArrowUp", ".", ".", "1")  # Hello and what follows, by character
    assert "“Hello 😀”" in browser.text("#marks")
    browser.press(",", ",", ",", "1", "ArrowUp", "Enter")
    assert [(mark.start, mark.end) for mark in _marks(browser)] == [(0, 7), (0, 4)]


def test_undo_delete_and_the_list_of_tags(browser):
    browser.press("ArrowRight", "1")
    browser.press("u")
    assert browser.text("#marks") == ""
    browser.press("1", "Delete")
    assert browser.text("#marks") == ""
    browser.press("Control+z")
    assert "PERSON_NAME" in browser.text("#marks")
    browser.press("t")
    assert browser.evaluate("document.activeElement.id") == "all"
    browser.evaluate("document.getElementById('all').value = 'PASSPORT'")
    browser.evaluate("document.getElementById('all').dispatchEvent(new Event('change'))")
    assert "PASSPORT" in browser.text("#marks")
    browser.press("u", "u")
    assert browser.text("#marks") == ""
    assert browser.evaluate("document.getElementById('undo').disabled")


def test_marks_may_nest_but_not_overlap(browser):
    browser.press("ArrowRight", "Shift+ArrowRight", "1")
    browser.press("ArrowLeft", "ArrowRight", "1")
    assert browser.text("#marks").count("PERSON_NAME") == 2
    browser.press("ArrowRight", "Shift+ArrowRight", "2")
    assert "ORGANIZATION_NAME" not in browser.text("#marks")
    assert "not overlap" in browser.text("#saved")


def test_marks_are_saved_in_the_browser(browser):
    browser.press("ArrowRight", "1", "Enter")
    assert browser.text("#progress") == "1 of 2 read"
    browser.open(Path(browser.evaluate("location.pathname")))
    assert browser.text("#progress") == "1 of 2 read"
    assert "PERSON_NAME" in browser.text("#marks")


def test_an_export_needs_a_name_and_counts_unread_conversations(browser):
    browser.click("#export")
    assert browser.text("#saved") == "Enter your name first."
    assert [one["read"] for one in _exported(browser)["conversations"]] == [False, False]
    assert "Still to read: 2." in browser.text("#saved")


def test_the_mouse_marks_as_well(browser):
    browser.click(".said [data-start]:last-child")
    browser.click("#tags li:nth-child(3) button")
    assert browser.text("#marks").endswith("LOCATION")
    browser.press("p")
    assert browser.text("#marks").endswith("LOCATION, in part")


def test_hostile_text_is_text_in_every_field(browser):
    browser.press("]")
    assert browser.text("#title") == f"{HOSTILE} · {HOSTILE}"
    assert browser.text(".turn .said") == f"\ufffd{HOSTILE}"
    assert browser.evaluate("document.title") == "Read and mark – Tacenda"
    assert browser.evaluate("document.querySelectorAll('script, img, iframe, object, link').length") == 2
    browser.press("1", "Enter")
    assert browser.evaluate("document.title") == "Read and mark – Tacenda"
    (reading,) = read_packet(_exported(browser), BY_ID, TABLE, "export")
    assert reading.conversation_id == HOSTILE


def test_nothing_is_fetched(browser):
    assert browser.evaluate("performance.getEntriesByType('resource').length") == 0
    assert "default-src 'none'" in browser.evaluate("document.querySelector('meta[http-equiv]').content")


def test_a_page_goes_from_the_sample_to_the_verdict(chromium, tacenda, tmp_path):
    source = tmp_path / "calls.jsonl"
    told = [{"speaker": "agent", "text": "Ask Quillfeather about the garden"}]
    source.write_text(
        "".join(json.dumps({"conversation_id": f"c{i}", "turns": told}) + "\n" for i in range(3))
    )
    run = tacenda("anonymize", "--input", source, "--detector", "rules")
    page, review = tmp_path / "page.html", tmp_path / "review.jsonl"
    words = ["sample", run.folder, "--output", page]
    assert cli_main(cli.run, ["review", *map(str, words)]) == 0
    for file in chromium.downloads.iterdir():
        file.unlink()
    chromium.open(page)
    chromium.press("ArrowRight", "1", "Enter", "Enter", "Enter")
    _exported(chromium)
    words = ["import", run.folder, chromium.downloaded(), "--output", review]
    assert cli_main(cli.run, ["review", *map(str, words)]) == 0
    assert cli_main(cli.run, ["release", str(run.folder), "--review", str(review)]) in (0, 3)
    told = json.loads((run.folder / "manifest.json").read_text())["review"]
    assert told["readers"] == {"Pam Beesly": 3}
    assert list(told["highest"].values()) == [5]
