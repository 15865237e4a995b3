"""propagation"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.linking.propagation.guards import Place, Vocabulary, facts, is_mention
from tacenda.transforms.linking.propagation.inflections import inflecting, stems
from tacenda.transforms.linking.propagation.known import MOST_WORDS, Known, Value, kind_of
from tacenda.transforms.linking.propagation.mentions import DETECTOR, OF_LABELS, find_mentions
from tacenda.transforms.linking.propagation.words import (
    distinct_words,
    folded,
    is_unspaced,
    possessive,
    words_of,
)
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import cases
from tests.growth import grows_linearly
from tests.unit.linking.propagation.conftest import found_in

ENGLISH = frozenset(["the", "and", "you", "what", "have", "with", "for", "will", "this", "is"])


def judged(text, word, *, sure=True):
    start = text.index(word)
    place = Place(text, start, start + len(word))
    return is_mention(place, word.lower(), Vocabulary(ENGLISH), sure=sure)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("I asked Will.", "Will"),
        ("Will is here.", "Will"),
        ("Hi Will", "Will"),
        ("this is will", "will"),
        ("ask dr. will", "will"),
        ("Jamal it is", "Jamal"),
        ("thanks jamal", "jamal"),
        ("JAMAL", "JAMAL"),
    ],
)
def test_mentions(text, word):
    assert judged(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Will you?", "Will"),
        ("I will.", "will"),
        ("What Will It Take This Year", "Will"),
        ("this is will you know", "will"),
        ("WILL THEY COME", "WILL"),
        ("so mark it", "mark"),
    ],
)
def test_words(text, word):
    assert not judged(text, word)


def test_uncertain_forms_need_a_capital_in_cased_text():
    assert judged("I asked Jamaal.", "Jamaal", sure=False)
    assert judged("i asked jamaal", "jamaal", sure=False)
    assert not judged("I asked jamaal.", "jamaal", sure=False)


def test_a_cell_ends_where_the_next_begins():
    text = "thanks\0will do"
    assert not is_mention(Place(text, 7, 11), "will", Vocabulary(ENGLISH), sure=True)
    assert Place(text, 7, 11).opens_sentence


def test_words_that_are_also_names():
    vocabulary = Vocabulary(ENGLISH)
    assert vocabulary.may_be_name("will")
    assert vocabulary.may_be_name("jamal")
    assert not vocabulary.may_be_name("hello")
    assert vocabulary.level("mark") > vocabulary.listed_level("mark")


def test_words_of_other_languages_are_not_ordinary_words():
    spanish = Vocabulary(frozenset(["que", "los", "una", "con", "para", "está", "como", "muy"]))
    assert spanish.level("will") == 3  # a word that is also a name in any language
    assert spanish.level("what") == 0 < Vocabulary(ENGLISH).level("what")
    assert max(facts("jamal").given, facts("jamal").family) > 0


SOME = {
    "sv": {"och", "jag"},
    "fi": {"ja", "on"},
    "es": {"que", "con"},
    "de": {"und", "ich"},
    "en": {"the", "you"},
}


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    cases(__file__, "test_stems"),
)
def test_stems(language, word, stem):
    assert stem in stems(word, inflecting(SOME[language]))


def test_other_languages_inflect_otherwise():
    assert "virtanen" not in stems("virtasen", inflecting(SOME["sv"]))
    assert stems("karlssons", ()) == []


def test_one_word_is_too_few_to_tell_a_language():
    assert inflecting({"och", "the"}) == ()
    assert inflecting(set()) == ()


@pytest.mark.parametrize("word", ["as", "s" * 100, ""])
def test_too_short_or_long_words_are_not_inflections(word):
    assert stems(word, inflecting(SOME["sv"])) == []


def known(*values):
    return Known([Value(info_type, text, "") for info_type, text in values], ())


def test_the_forms_of_a_name():
    forms = known(("PERSON_NAME", "Dr. Robert Lee"))
    assert {"robert", "lee", "rlee", "robertlee"} <= set(forms.words)
    assert {("robert", "lee"), ("lee", "robert")} == set(forms.phrases)
    assert "bob" in forms.nicknames
    assert {"robert", "lee"} <= {*forms.stems("ro"), *forms.stems("le")}


def test_small_words_of_a_name_with_capitals_are_no_parts():
    assert {"ask", "karlsson"} == {"ask", "karlsson", "for", "it"} & set(
        known(("PERSON_NAME", "Ask Karlsson for it")).words
    )
    assert {"ann", "lee"} <= set(known(("PERSON_NAME", "ann lee")).words)


def test_particles_are_not_parts_of_a_name():
    forms = known(("PERSON_NAME", "Ludwig van der Berg"))
    assert {"ludwig", "berg"} == {"ludwig", "van", "der", "berg"} & set(forms.words)
    assert ("van", "der", "berg") in forms.phrases


def test_two_letters_need_a_capital():
    assert {"li", "wu"} <= set(known(("PERSON_NAME", "Li Wu")).words)
    assert not known(("PERSON_NAME", "li")).words


def test_values_of_too_many_words_are_left_out():
    assert not known(("ORGANIZATION_NAME", "a " * (MOST_WORDS + 1))).phrases
    assert known(("ORGANIZATION_NAME", "one two")).phrases
    assert not known(("PHONE_NUMBER", "415 555")).phrases


def test_stems_of_an_inflected_name():
    values = [Value("PERSON_NAME", "Virtasen", "")]
    assert "virtanen" in Known(values, inflecting({"ja", "on"})).stems("vi")


def test_kinds():
    assert [kind_of(name) for name in ("PERSON_NAME", "AGE", "STREET_ADDRESS", "PHONE_NUMBER")] == [
        "names", "never", "addresses", "",
    ]  # fmt: skip


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
def test_other_mentions_of_a_person_are_found(said_again, text, mentions):
    assert said_again("My name is Ann Lee and I am calling.", text, found=ANN) == [[], mentions]


@pytest.mark.parametrize(
    ("name", "texts", "mentions"),
    cases(__file__, "test_forms_of_a_name_are_found"),
)
def test_forms_of_a_name_are_found(said_again, name, texts, mentions):
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
def test_words_that_are_also_names_are_skipped_as_words(said_again, text):
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
def test_words_that_are_also_names_are_found_where_they_are_names(said_again, text, mentions):
    found = {"Will Smith": "PERSON_NAME", "Mark Jones": "PERSON_NAME"}
    assert said_again("So Will Smith and Mark Jones called.", text, found=found)[1] == mentions


def test_no_greeting_that_was_taken_for_a_part_of_a_name_is_found_again(said_again):
    texts = ["Hello Jamal", "Hello, who is there?", "Jamal, hello", "So Hello it is."]
    assert said_again(*texts, found={"Hello Jamal": "PERSON_NAME"}) == [[], [], ["Jamal"], []]


def test_an_abbreviation_that_was_taken_for_a_name_is_not_found_again(said_again):
    assert said_again("MRN Jones", "Name and MRN. It is so.", found={"MRN": "PERSON_NAME"}) == [[], []]


def test_a_word_in_lower_case_elsewhere_is_not_an_unknown_name(said_again):
    texts = ["Spline Smith", "Spline it is.", "the spline here", "Xerxel it is."]
    found = {"Spline Smith": "PERSON_NAME"}
    assert said_again(*texts, found=found) == [[], [], [], []]


def test_speaker_labels_are_known(said_again):
    labels = {"Lynne Neagle AM": "PERSON_NAME", "4155550199": "PHONE_NUMBER"}
    texts = ["Lynne here", "I thank Ms Neagle, Lynnette.", "it is 415 555 0199", "I AM Agent"]
    assert said_again(*texts, labels=labels) == [["Lynne"], ["Neagle"], ["415 555 0199"], []]


@pytest.mark.parametrize(
    "label",
    ["Lynne_Neagle", "Neagle,Lynne", "Lynne.Neagle", "AM/Neagle (Lynne)", "Lynne-Neagle", "Lynne@Neagle"],
)
def test_parts_of_a_label_are_found_whatever_joins_them(said_again, label):
    assert said_again("Is Lynne or Neagle here", labels={label: "PERSON_NAME"}) == [["Lynne", "Neagle"]]


def test_a_role_in_a_label_is_not_a_name(said_again):
    assert said_again("The Agent said Smith", labels={"Agent Smith": "PERSON_NAME"}) == [["Smith"]]


def test_a_double_name_is_found_whole_before_its_parts(said_again):
    labels = {"Anne-Marie O'Neil": "PERSON_NAME"}
    assert said_again("So Anne-Marie, Marie or O’Neil", labels=labels) == [["Anne-Marie", "Marie", "O’Neil"]]


def test_names_without_spaces(said_again):
    assert said_again("我是李伟。", "李伟你好", found={"李伟": "PERSON_NAME"}) == [[], ["李伟"]]


def test_names_with_combining_marks_are_whole(said_again):
    found = {"रवि कुमार": "PERSON_NAME"}
    assert said_again("मैं रवि कुमार हूँ", "रवि है, रव नहीं", found=found) == [[], ["रवि"]]


def test_values_are_found_whole(said_again):
    found = {"Dunder Mifflin": "ORGANIZATION_NAME", "AB-1234": "GENERIC_ID", "Shelbyville": "LOCATION"}
    texts = [
        "Dunder Mifflin, AB-1234, Shelbyville",
        "DUNDER MIFFLIN of Shelbyville",
        "it was AB 1234",
        "Dunder",
    ]
    assert said_again(*texts, found=found)[1:] == [["DUNDER MIFFLIN", "Shelbyville"], ["AB 1234"], []]


def test_common_words_are_no_values_by_themselves(said_again):
    found = {"Hospital": "LOCATION", "Target": "ORGANIZATION_NAME"}
    assert said_again("To the Hospital by Target", "the Hospital, the target", found=found)[1] == []


def test_short_and_common_values_are_not_propagated(said_again):
    found = {"34": "AGE", "nurse": "PROFESSION"}
    assert said_again("I am 34, a nurse", "34 dollars for a nurse", found=found)[1] == []


def test_a_street_without_its_number(said_again):
    found = {"12 Elm Street, Springfield": "STREET_ADDRESS"}
    texts = ["I am at 12 Elm Street, Springfield.", "On Elm Street?", "elm street yes", "the street"]
    assert said_again(*texts, found=found)[1:] == [["Elm Street"], ["elm street"], []]


def test_existing_findings_and_tokens_are_skipped(said_again):
    assert said_again("Ann Lee", "[ANN_1] and [PERSON_NAME_2]", found=ANN) == [[], []]
    assert said_again("Ann Lee", found=ANN) == [[]]


def test_without_known_values_nothing_is_found(said_again):
    assert said_again("Ann Lee") == [[]]
    assert find_mentions([], []) == []


def test_findings_say_what_they_are_of_and_how_sure_they_are():
    texts = ["Ann Lee", "So Ann met Annie and Pam."]
    ((_, mentions),) = find_mentions(texts, found_in(texts, ANN), {"Pam": "FIRST_NAME"})
    assert [(m.info_type, m.likelihood, m.detector) for m in mentions] == [
        ("PERSON_NAME", Likelihood.LIKELY, DETECTOR),
        ("PERSON_NAME", Likelihood.POSSIBLE, DETECTOR),
        ("FIRST_NAME", Likelihood.LIKELY, OF_LABELS),
    ]


def test_time_grows_with_the_conversation():
    def look(turns):
        texts = ["I am Ann Lee, 415-555-0199", *["so ann said 415 and lee a n n said 0199"] * turns]
        findings = found_in(texts, {**ANN, "415-555-0199": "PHONE_NUMBER"})
        assert len(find_mentions(texts, findings)) == turns

    assert grows_linearly(look, 100)


def test_time_grows_with_the_findings_of_a_turn():
    def look(count):
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


def test_time_grows_with_text_and_labels_and_not_with_their_product():
    def look(count):
        labels = {f"Anna{i}x Berg{i}y": "PERSON_NAME" for i in range(count)}
        texts = [f"hello there Anna{i}x, of an ordinary length" for i in range(count)]
        assert len(find_mentions(texts, [[] for _ in texts], labels)) == count

    assert grows_linearly(look, 200)


@pytest.mark.parametrize("name", ["A", "A ", "Anna ", "A-", "1", "Ann.", "'a"])
def test_time_grows_with_a_text_that_is_full_of_its_long_label(name):
    def look(size):
        label = name * (size // 2 // len(name))
        find_mentions([name * (size // len(name))], [[]], {label: "PERSON_NAME"})

    assert grows_linearly(look, 4_000)


def test_time_grows_with_labels_that_share_a_word():
    def look(count):
        labels = {f"Anna Berg{i}y": "PERSON_NAME" for i in range(count)}
        find_mentions(["Anna met Anna. " * count], [[]], labels)

    assert grows_linearly(look, 100)


def test_time_grows_with_a_word_that_is_full_of_a_name():
    def look(size):
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
def test_half_of_a_hyphenated_speaker_name_is_found(said_again, label, text, mentions):
    assert said_again(text, labels={label: "PERSON_NAME"}) == [mentions]


PHONE = {"415-555-0199": "PHONE_NUMBER"}


def test_a_number_in_other_groups(said_again):
    texts = ["call 415-555-0199", "4155550199, (415) 555.0199 or 4 1 5 5 5 5 0 1 9 9"]
    assert said_again(*texts, found=PHONE)[1] == ["4155550199", "415) 555.0199", "4 1 5 5 5 5 0 1 9 9"]


def test_the_last_digits(said_again):
    assert said_again("415-555-0199", "ending in 0199", found=PHONE)[1] == ["0199"]


@pytest.mark.parametrize(
    "text",
    cases(__file__, "test_other_numbers_are_not_mentions"),
)
def test_other_numbers_are_not_mentions(said_again, text):
    found = {**PHONE, "1231112024": "MEDICAL_RECORD_NUMBER"}
    assert said_again("415-555-0199, 1231112024", text, found=found)[1] == []


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("20240199556", "on 2024-01-02"),
        ("20240199556", "01-99 it was on 2024-01-02, not 2024/01/19"),
        ("4155062024", "born 15.06.2024 in town"),
        ("4155062024", "4155 it is, 06 people, in 2024"),
        ("5550122024", "555 and 0122, since 2024"),
    ],
)
def test_dates_and_years_are_no_pieces_of_a_number(said_again, number, text):
    assert not {"2024", "01", "2024-01", "06.2024", "15.06.2024"} & {
        piece for cell in said_again(number, text, found={number: "GENERIC_ID"})[1:] for piece in cell
    }


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("did you say 231?", ["231"]),
        ("231, yes", ["231"]),
        ("so 231", ["231"]),
        ("that makes 231 boxes", []),
        ("231 euros", []),
        ("a 231-page report", []),
        ("$231", []),
        ("231 %", []),
        ("23, 1", []),
    ],
)
def test_a_short_number_is_a_mention_unless_it_counts_something(said_again, text, mentions):
    assert said_again("the code is 231.", text, found={"231": "US_SOCIAL_SECURITY_NUMBER"})[1] == mentions


@given(st.text(st.sampled_from("aB1' -é’\0\x01.र\u0301"), max_size=20))
def test_distinct_words_are_the_words(text):
    assert distinct_words(text) == set(words_of(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann-Marie O'Neil's", ["Ann", "Marie", "O'Neil's"]),
        ("'Ann' a''b", ["Ann", "a", "b"]),
        ("रवि है", ["रवि", "है"]),
        ("Jose\u0301", ["Jose\u0301"]),
        ("", []),
    ],
)
def test_words_of_words(text, words):
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("word", "fold", "end"),
    [
        ("Ann's", "ann", 2),
        ("ANN'S", "ann", 2),
        ("James’", "james", 0),
        ("O’Neil", "oneil", 0),
        ("José", "jose", 0),
        ("Jose\u0301", "jose", 0),
    ],
)
def test_folded_words(word, fold, end):
    assert (folded(word), possessive(word)) == (
        fold,
        end if "’" not in word or re.search("’$", word) is None else 1,
    )


def test_scripts_without_spaces():
    assert is_unspaced("李伟")
    assert not is_unspaced("Ann é 김")
