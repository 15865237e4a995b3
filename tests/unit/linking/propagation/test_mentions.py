import pytest

from tacenda.transforms.linking.propagation.mentions import DETECTOR, OF_LABELS, find_mentions
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly
from tests.unit.linking.propagation.conftest import Said, found_in

ANN = {"Ann Lee": "PERSON_NAME"}


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("thanks, Ann", ["Ann"]),
        ("thanks, Ms. Lee.", ["Lee"]),
        ("LEE, ANN", ["LEE, ANN"]),
        ("i asked ann lee about it", ["ann lee"]),
        ("thank you ann", ["ann"]),
        ("Ann's car and Lee's house", ["Ann", "Lee"]),
        ("please ask Annie", ["Annie"]),
        ("please ask Anne", ["Anne"]),
        ("log in as annlee or alee", ["annlee", "alee"]),
        ("it is ann_lee there", ["ann lee".replace(" ", "_")]),
        ("Ánn léé", ["Ánn léé"]),
    ],
)
def test_other_mentions_of_a_person_are_found(said_again: Said, text: str, mentions: list[str]) -> None:
    assert said_again("My name is Ann Lee and I am calling.", text, found=ANN) == [[], mentions]


@pytest.mark.parametrize(
    ("name", "texts", "mentions"),
    [
        ("Robert Jones", ["Ask Bob about it."], ["Bob"]),
        ("José Pérez", ["Hola Pepe, qué tal."], ["Pepe"]),
        ("Mark Jones", ["So Marc said it."], ["Marc"]),
        ("Karl Karlsson", ["Det är Karlssons bil, och jag har den inte."], ["Karlssons"]),
        ("Matti Virtanen", ["Virtasen auto on se, ja Matin myös."], ["Virtasen", "Matin"]),
        ("Mikko Lahti", ["Kysy Mikolta, hän on se."], ["Mikolta"]),
        ("Kari Hansen", ["Det er Hansens bil, og ikke min."], ["Hansens"]),
        ("Jens Jensen", ["Jeg har Jensens bil, og den er af guld."], ["Jensens"]),
        ("Ana García", ["Con los Garcías, pero no está Anita."], ["Garcías", "Anita"]),
        ("Uwe Bauer", ["Das ist nicht Uwes Auto und nicht das von Bauers."], ["Uwes", "Bauers"]),
    ],
)
def test_forms_of_a_name_are_found(
    said_again: Said, name: str, texts: list[str], mentions: list[str]
) -> None:
    assert said_again(f"x {name} x", *texts, found={name: "PERSON_NAME"})[1] == mentions


@pytest.mark.parametrize(
    "text",
    [
        "Will you call me back?",
        "I will ask.",
        "They will.",
        "Please mark the date.",
        "Mark the date, please.",
        "Thanks, mark it as done.",
        "It leaves a mark on it.",
    ],
)
def test_words_that_are_also_names_are_skipped_as_words(said_again: Said, text: str) -> None:
    found = {"Will Smith": "PERSON_NAME", "Mark Jones": "PERSON_NAME"}
    assert said_again("Will Smith and Mark Jones called.", text, found=found)[1] == []


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("I asked Will about it.", ["Will"]),
        ("Will, can you hear me?", ["Will"]),
        ("Will said no.", ["Will"]),
        ("thanks mark", ["mark"]),
        ("hi this is mark from sales", ["mark"]),
        ("will smith was here", ["will smith"]),
    ],
)
def test_words_that_are_also_names_are_found_where_they_are_names(
    said_again: Said, text: str, mentions: list[str]
) -> None:
    found = {"Will Smith": "PERSON_NAME", "Mark Jones": "PERSON_NAME"}
    assert said_again("So Will Smith and Mark Jones called.", text, found=found)[1] == mentions


def test_no_greeting_that_was_taken_for_a_part_of_a_name_is_found_again(said_again: Said) -> None:
    texts = ["Hello Jamal", "Hello, who is there?", "Jamal, hello", "So Hello it is."]
    assert said_again(*texts, found={"Hello Jamal": "PERSON_NAME"}) == [[], [], ["Jamal"], []]


def test_an_abbreviation_that_was_taken_for_a_name_is_not_found_again(said_again: Said) -> None:
    assert said_again("MRN Jones", "Name and MRN. It is so.", found={"MRN": "PERSON_NAME"}) == [[], []]


def test_a_word_in_lower_case_elsewhere_is_not_an_unknown_name(said_again: Said) -> None:
    texts = ["Spline Smith", "Spline it is.", "the spline here", "Xerxel it is."]
    found = {"Spline Smith": "PERSON_NAME"}
    assert said_again(*texts, found=found) == [[], [], [], []]


def test_speaker_labels_are_known(said_again: Said) -> None:
    labels = {"Lynne Neagle AM": "PERSON_NAME", "4155550199": "PHONE_NUMBER"}
    texts = ["Lynne here", "I thank Ms Neagle, Lynnette.", "it is 415 555 0199", "I AM Agent"]
    assert said_again(*texts, labels=labels) == [["Lynne"], ["Neagle"], ["415 555 0199"], []]


@pytest.mark.parametrize(
    "label",
    ["Lynne_Neagle", "Neagle,Lynne", "Lynne.Neagle", "AM/Neagle (Lynne)", "Lynne-Neagle", "Lynne@Neagle"],
)
def test_parts_of_a_label_are_found_whatever_joins_them(said_again: Said, label: str) -> None:
    assert said_again("Is Lynne or Neagle here", labels={label: "PERSON_NAME"}) == [["Lynne", "Neagle"]]


def test_a_role_in_a_label_is_not_a_name(said_again: Said) -> None:
    assert said_again("The Agent said Smith", labels={"Agent Smith": "PERSON_NAME"}) == [["Smith"]]


def test_a_double_name_is_found_whole_before_its_parts(said_again: Said) -> None:
    labels = {"Anne-Marie O'Neil": "PERSON_NAME"}
    assert said_again("So Anne-Marie, Marie or O’Neil", labels=labels) == [["Anne-Marie", "Marie", "O’Neil"]]


def test_names_without_spaces(said_again: Said) -> None:
    assert said_again("我是李伟。", "李伟你好", found={"李伟": "PERSON_NAME"}) == [[], ["李伟"]]


def test_names_with_combining_marks_are_whole(said_again: Said) -> None:
    found = {"रवि कुमार": "PERSON_NAME"}
    assert said_again("मैं रवि कुमार हूँ", "रवि है, रव नहीं", found=found) == [[], ["रवि"]]


def test_values_are_found_whole(said_again: Said) -> None:
    found = {"Dunder Mifflin": "ORGANIZATION_NAME", "AB-1234": "GENERIC_ID", "Shelbyville": "LOCATION"}
    texts = [
        "Dunder Mifflin, AB-1234, Shelbyville",
        "DUNDER MIFFLIN of Shelbyville",
        "it was AB 1234",
        "Dunder",
    ]
    assert said_again(*texts, found=found)[1:] == [["DUNDER MIFFLIN", "Shelbyville"], ["AB 1234"], []]


def test_common_words_are_no_values_by_themselves(said_again: Said) -> None:
    found = {"Hospital": "LOCATION", "Target": "ORGANIZATION_NAME"}
    assert said_again("To the Hospital by Target", "the Hospital, the target", found=found)[1] == []


def test_short_and_common_values_are_not_propagated(said_again: Said) -> None:
    found = {"34": "AGE", "nurse": "PROFESSION"}
    assert said_again("I am 34, a nurse", "34 dollars for a nurse", found=found)[1] == []


def test_a_street_without_its_number(said_again: Said) -> None:
    found = {"12 Elm Street, Springfield": "STREET_ADDRESS"}
    texts = ["I am at 12 Elm Street, Springfield.", "On Elm Street?", "elm street yes", "the street"]
    assert said_again(*texts, found=found)[1:] == [["Elm Street"], ["elm street"], []]


def test_existing_findings_and_tokens_are_skipped(said_again: Said) -> None:
    assert said_again("Ann Lee", "[ANN_1] and [PERSON_NAME_2]", found=ANN) == [[], []]
    assert said_again("Ann Lee", found=ANN) == [[]]


def test_without_known_values_nothing_is_found(said_again: Said) -> None:
    assert said_again("Ann Lee") == [[]]
    assert find_mentions([], []) == []


def test_findings_say_what_they_are_of_and_how_sure_they_are() -> None:
    texts = ["Ann Lee", "So Ann met Annie and Pam."]
    ((_, mentions),) = find_mentions(texts, found_in(texts, ANN), {"Pam": "FIRST_NAME"})
    assert [(m.info_type, m.likelihood, m.detector) for m in mentions] == [
        ("PERSON_NAME", Likelihood.LIKELY, DETECTOR),
        ("PERSON_NAME", Likelihood.POSSIBLE, DETECTOR),
        ("FIRST_NAME", Likelihood.LIKELY, OF_LABELS),
    ]


def test_time_grows_with_the_conversation() -> None:
    def look(turns: int) -> None:
        texts = ["I am Ann Lee, 415-555-0199", *["so ann said 415 and lee a n n said 0199"] * turns]
        findings = found_in(texts, {**ANN, "415-555-0199": "PHONE_NUMBER"})
        assert len(find_mentions(texts, findings)) == turns

    assert grows_linearly(look, 100)


def test_time_grows_with_the_findings_of_a_turn() -> None:
    def look(count: int) -> None:
        text = " ".join(f"Anna{i}x said 55501{i:05} to anna{i}x" for i in range(count))
        findings = found_in([text[:0]], {})
        place = 0
        for i in range(count):
            for value, kind in ((f"Anna{i}x", "PERSON_NAME"), (f"55501{i:05}", "PHONE_NUMBER")):
                place = text.index(value, place)
                findings[0].append(
                    found_in([value], {value: kind})[0][0]._replace(start=place, end=place + len(value))
                )
                place += len(value)
        find_mentions([text], findings)

    assert grows_linearly(look, 100)


def test_time_grows_with_text_and_labels_and_not_with_their_product() -> None:
    def look(count: int) -> None:
        labels = {f"Anna{i}x Berg{i}y": "PERSON_NAME" for i in range(count)}
        texts = [f"hello there Anna{i}x, of an ordinary length" for i in range(count)]
        assert len(find_mentions(texts, [[] for _ in texts], labels)) == count

    assert grows_linearly(look, 200)


@pytest.mark.parametrize("name", ["A", "A ", "Anna ", "A-", "1", "Ann.", "'a"])
def test_time_grows_with_a_text_that_is_full_of_its_long_label(name: str) -> None:
    def look(size: int) -> None:
        label = name * (size // 2 // len(name))
        find_mentions([name * (size // len(name))], [[]], {label: "PERSON_NAME"})

    assert grows_linearly(look, 4_000)


def test_time_grows_with_labels_that_share_a_word() -> None:
    def look(count: int) -> None:
        labels = {f"Anna Berg{i}y": "PERSON_NAME" for i in range(count)}
        find_mentions(["Anna met Anna. " * count], [[]], labels)

    assert grows_linearly(look, 100)


def test_time_grows_with_a_word_that_is_full_of_a_name() -> None:
    def look(size: int) -> None:
        found = find_mentions(["ana" * size + " ana", "ask Ana "], [[], []], {"Ana": "PERSON_NAME"})
        assert [cell for cell, _ in found] == [0, 1]

    assert grows_linearly(look, 4_000)


@pytest.mark.parametrize(
    ("label", "text", "mentions"),
    [
        ("Bo-ra Hwangbo", "Hi Bo-ra, is Hwangbo there?", ["Bo-ra", "Hwangbo"]),
        ("So-he Kim", "And so he said it to So-he.", ["So-he"]),
        ("Anne-Marie Fell", "Anne-Marie did, and Marie did not.", ["Anne-Marie", "Marie"]),
    ],
)
def test_half_of_a_hyphenated_speaker_name_is_found(
    said_again: Said, label: str, text: str, mentions: list[str]
) -> None:
    assert said_again(text, labels={label: "PERSON_NAME"}) == [mentions]
