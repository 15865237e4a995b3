from tacenda.transforms.detecting.spoken.recognition import spoken_runs_of_column
from tacenda.transforms.text.column import TextColumn

LANGUAGES = ("en", "sv")
SAID = "sju tre fem noll"


def values(texts, first_cell=None):
    return [
        [run.value for run in runs]
        for runs in spoken_runs_of_column(TextColumn(texts, first_cell), LANGUAGES)
    ]


def test_the_language_of_number_words_applies_to_the_conversation():
    texts = ["hej, det är Anna", "prick fyra minus åtta, ett ett"]
    both = spoken_runs_of_column(TextColumn(texts, [0, 2]), LANGUAGES)
    assert both == spoken_runs_of_column(TextColumn(texts), ("sv",))


def test_few_number_words_identify_the_language():
    talk = "we went over the plan once more and nothing has changed since then " * 40
    assert values([talk, SAID, talk], [0, 3])[1] == ["7350"]


def test_number_words_of_other_languages_are_ignored():
    # In Norwegian, "to" is two and "fire" four.
    english = "please fax it to 8005550117 to fire"
    assert [[r.value for r in runs] for runs in spoken_runs_of_column(TextColumn([english]), ("no",))] == [
        ["2800555011724"]
    ]
    assert [r.value for r in spoken_runs_of_column(TextColumn([english]), ("en", "no"))[0]] == []


def test_the_first_language_is_always_read():
    assert values(["four one five, sju tre fem", "four one five"], [0, 1, 2]) == [["415", "735"], ["415"]]
