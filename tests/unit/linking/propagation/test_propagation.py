"""propagation"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.linking.propagation.inflections import inflecting, stems
from tacenda.transforms.linking.propagation.known import MOST_WORDS, Known, Value, distinct_words, words_of
from tacenda.transforms.linking.propagation.mentions import DETECTOR, OF_LABELS, find_mentions
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import cases
from tests.growth import grows_linearly
from tests.unit.linking.propagation.conftest import found_in

SOME = {
    "sv": {"och", "jag"},
    "fi": {"ja", "on"},
    "es": {"que", "con"},
    "de": {"und", "ich"},
    "en": {"the", "you"},
}


@pytest.mark.parametrize(("language", "word", "stem"), cases(__file__, "test_stems"))
def test_stems(language, word, stem):
    assert stem in stems(word, inflecting(SOME[language]))


ANN = {"Ann Lee": "PERSON_NAME"}


@pytest.mark.parametrize(("text", "mentions"), cases(__file__, "test_other_mentions_of_a_person_are_found"))
def test_other_mentions_of_a_person_are_found(said_again, text, mentions):
    assert said_again("My name is Ann Lee and I am calling.", text, found=ANN) == [[], mentions]


@pytest.mark.parametrize(("name", "texts", "mentions"), cases(__file__, "test_forms_of_a_name_are_found"))
def test_forms_of_a_name_are_found(said_again, name, texts, mentions):
    assert said_again(f"x {name} x", *texts, found={name: "PERSON_NAME"})[1] == mentions


@pytest.mark.parametrize("text", cases(__file__, "test_words_that_are_also_names_are_skipped_as_words"))
def test_words_that_are_also_names_are_skipped_as_words(said_again, text):
    found = {"Will Smith": "PERSON_NAME", "Mark Jones": "PERSON_NAME"}
    assert said_again("Will Smith and Mark Jones called.", text, found=found)[1] == []


@pytest.mark.parametrize(
    ("text", "mentions"), cases(__file__, "test_words_that_are_also_names_are_found_where_they_are_names")
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


def test_a_street_without_its_number(said_again):
    found = {"12 Elm Street, Springfield": "STREET_ADDRESS"}
    texts = ["I am at 12 Elm Street, Springfield.", "On Elm Street?", "elm street yes", "the street"]
    assert said_again(*texts, found=found)[1:] == [["Elm Street"], ["elm street"], []]


def test_existing_findings_and_tokens_are_skipped(said_again):
    assert said_again("Ann Lee", "[ANN_1] and [PERSON_NAME_2]", found=ANN) == [[], []]
    assert said_again("Ann Lee", found=ANN) == [[]]


def test_findings_say_what_they_are_of_and_how_sure_they_are():
    texts = ["Ann Lee", "So Ann met Annie and Pam."]
    ((_, mentions),) = find_mentions(texts, found_in(texts, ANN), {"Pam": "FIRST_NAME"})
    assert [(m.info_type, m.likelihood, m.detector) for m in mentions] == [
        ("PERSON_NAME", Likelihood.LIKELY, DETECTOR),
        ("PERSON_NAME", Likelihood.POSSIBLE, DETECTOR),
        ("FIRST_NAME", Likelihood.LIKELY, OF_LABELS),
    ]


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


@pytest.mark.parametrize(
    ("label", "text", "mentions"), cases(__file__, "test_half_of_a_hyphenated_speaker_name_is_found")
)
def test_half_of_a_hyphenated_speaker_name_is_found(said_again, label, text, mentions):
    assert said_again(text, labels={label: "PERSON_NAME"}) == [mentions]


PHONE = {"415-555-0199": "PHONE_NUMBER"}


def test_a_number_in_other_groups(said_again):
    texts = ["call 415-555-0199", "4155550199, (415) 555.0199 or 4 1 5 5 5 5 0 1 9 9"]
    assert said_again(*texts, found=PHONE)[1] == ["4155550199", "415) 555.0199", "4 1 5 5 5 5 0 1 9 9"]


def test_the_last_digits(said_again):
    assert said_again("415-555-0199", "ending in 0199", found=PHONE)[1] == ["0199"]


@pytest.mark.parametrize("text", cases(__file__, "test_other_numbers_are_not_mentions"))
def test_other_numbers_are_not_mentions(said_again, text):
    found = {**PHONE, "1231112024": "MEDICAL_RECORD_NUMBER"}
    assert said_again("415-555-0199, 1231112024", text, found=found)[1] == []


@pytest.mark.parametrize(
    ("number", "text"), cases(__file__, "test_dates_and_years_are_no_pieces_of_a_number")
)
def test_dates_and_years_are_no_pieces_of_a_number(said_again, number, text):
    assert not {"2024", "01", "2024-01", "06.2024", "15.06.2024"} & {
        piece for cell in said_again(number, text, found={number: "GENERIC_ID"})[1:] for piece in cell
    }


@pytest.mark.parametrize(
    ("text", "mentions"), cases(__file__, "test_a_short_number_is_a_mention_unless_it_counts_something")
)
def test_a_short_number_is_a_mention_unless_it_counts_something(said_again, text, mentions):
    assert said_again("the code is 231.", text, found={"231": "US_SOCIAL_SECURITY_NUMBER"})[1] == mentions


@given(st.text(st.sampled_from("aB1' -é’\0\x01.र\u0301"), max_size=20))
def test_distinct_words_are_the_words(text):
    assert distinct_words(text) == set(words_of(text))


def test_values_of_too_many_words_are_searched_for_by_no_part():
    forms = Known([Value("ORGANIZATION_NAME", "a " * (MOST_WORDS + 1), "")], ())
    assert not forms.phrases
    assert not forms.words
