import pytest

from tacenda.transforms.detecting.spoken.recognition import spoken_runs, spoken_runs_of_column
from tacenda.transforms.text.column import TextColumn


def read(text, language="en"):
    return [(text[r.start : r.end], r.value, r.kind) for r in spoken_runs(text, (language,))]


@pytest.mark.parametrize(
    ("said", "value", "kind"),
    [
        ("four one five double two oh nine", "4152209", "digits"),
        ("triple seven", "777", "digits"),
        ("five hundred and two", "502", "digits"),
        ("nineteen eighty four", "1984", "year"),
        ("seven five seven 5550192", "7575550192", "digits"),
        ("four one five, five five five. oh one two three", "4155550123", "digits"),
        ("four one five um five five five dash oh one two three", "4155550123", "digits"),
        ("4 1 5 - 5 5 5 0 1 2 3", "4155550123", "digits"),
        ("84 65 45 12 4", "846545124", "digits"),
        ("0-7-5-8", "0758", "digits"),
        ("o seven seven double o nine hundred one two three", "07700900123", "digits"),
        ("one two three four five double o one two", "123450012", "digits"),
        ("four one five triple O two", "4150002", "digits"),
        ("double o um five six seven", "00567", "digits"),
        ("double o seven", "007", "digits"),
        ("A-L-P-H-A", "ALPHA", "spelled"),
        ("S.M.I.T.H", "SMITH", "spelled"),
        ("M A R K", "MARK", "spelled"),
        ("m a r k", "mark", "spelled"),
        ("double t o m", "ttom", "spelled"),
        ("m double o r e", "moore", "spelled"),
        ("b double o n", "boon", "spelled"),
        ("i. n. c. three seven six one five oh seven", "INC3761507", "code"),
        ("five Y J U X six P F two oh C", "5YJUX6PF20C", "code"),
        ("M five V one R nine", "M5V1R9", "code"),
        ("x double o seven nine", "XOO79", "code"),
        ("a 4 g 4 f 3", "A4G4F3", "code"),
    ],
)
def test_spoken_values_are_found_at_their_positions(said, value, kind):
    assert read(f"well it's {said}") == [(said, value, kind)]
    assert read(said) == [(said, value, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "one of us is for you",
        "two of us, one or two, five days",
        "I am twenty-three",
        "to be or not to be, that's for me",
        "one one one thing",
        "oh oh oh no",
        "triple o",
        "double o point five",
        "we stay at the hotel in india",
        "a follow-up e-mail about the X-ray",
        "I-I-I think so",
        "I d I do",
        "you have like a p a s you know",
        "it's 10:30 and costs $1,500.25",
        "call 24 seven",
        "on 11-05-2003",
        "it is three point five percent",
    ],
)
def test_common_words_are_not_numbers(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("language", "said", "value"),
    [
        ("sv", "noll sju två tre, trettiofem fyrtiotvå", "07233542"),
        ("sv", "nollåtta fem fem fem tolv tolv", "085551212"),
        ("sv", "nollsjuttitre ett två tre fyra fem sex sju", "0731234567"),
        ("no", "nullåtte fem fem tolv", "085512"),
        ("no", "femogtredve førtito ni åtte", "354298"),
        ("es", "seis uno dos treinta y cinco cuarenta y dos", "6123542"),
        (
            "es",
            "seiscientos treintaicinco veintidós treintaitrés cuarentaicuatro",
            "635223344",
        ),
        ("fi", "nolla neljä nolla yks kaks kolme", "040123"),
    ],
)
def test_other_languages(language, said, value):
    assert read(f"x: {said}!", language) == [(said, value, "digits")]


@pytest.mark.parametrize(
    "text",
    [
        "thirty one hundred minutes",
        "one hundred twenty dollars",
        "at nine thirty",
        "one two three four",
        "two hundred",
        "five hundred and two people",
        "page two oh four",
        "three hundred and twelve point five",
    ],
)
def test_quantities_are_distinguished(text):
    runs = spoken_runs(text)
    assert runs
    assert all(run.quantity for run in runs)


@pytest.mark.parametrize(
    "text",
    ["two oh four", "nine one five nine", "room five hundred and two.", "fifty four thirty eight Oak Road"],
)
def test_identifiers_are_not_quantities(text):
    assert [run.quantity for run in spoken_runs(text)] == [False]


def test_a_number_ends_before_a_preposition_and_hundreds() -> None:
    text = "ending in seven two one nine for six hundred eighty four dollars"
    said = [(run.value, run.quantity) for run in spoken_runs(text)]
    assert said == [("7219", False), ("684", True)]


def test_a_column_is_searched_cell_by_cell():
    texts = ["it's four one", "five double two", "", "\ud800 four one five", "ete 4 1 5 5 5 5 0"]
    runs = spoken_runs_of_column(TextColumn(texts))
    assert runs == [spoken_runs(text) for text in texts]
    assert [len(found) for found in runs] == [0, 1, 0, 1, 1]


def test_offsets_count_code_points():
    text = "żółć 😀 ñandú: four one five!"
    assert read(text) == [("four one five", "415", "digits")]


def test_with_several_languages_the_longest_run_is_kept():
    text = "numret är sju tre fem, sorry, seven three five"
    assert [r.value for r in spoken_runs(text, ("en", "sv"))] == ["735", "735"]
    assert spoken_runs(text, ()) == []


def test_a_run_far_from_the_next_is_found_too():
    filler = "nothing to see here " * 60
    text = f"{filler}four one five {filler}s m i t h {filler}"
    assert [r.value for r in spoken_runs(text)] == ["415", "smith"]


def test_numbers_read_out_digit_by_digit_are_never_quantities():
    (run,) = spoken_runs("at two zero seven five five five zero one six seven people called")
    assert (run.value, run.quantity) == ("2075550167", False)


def test_a_repeated_repetition_does_not_count():
    text = "double " * 5000 + "double five one two"
    assert read(text) == [("double five one two", "5512", "digits")]
