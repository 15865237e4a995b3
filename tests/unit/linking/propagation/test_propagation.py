import pytest

from tacenda.transforms.linking.propagation.inflections import stems
from tacenda.transforms.linking.propagation.known import MOST_WORDS, Known
from tacenda.transforms.linking.propagation.mentions import DETECTOR, OF_LABELS, find_mentions
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.cases import cases, tabled
from tests.growth import grows_linearly


@tabled("language", "word", "stem")
def test_stems(language, word, stem):
    assert stem in stems(word, language)


ANN = {"Ann Lee": "PERSON_NAME"}


def found_in(texts, found):
    """Findings of some values, at the first occurrence of each."""
    findings: list[list[Finding]] = [[] for _ in texts]
    for value, info_type in found.items():
        cell, start = next((i, text.find(value)) for i, text in enumerate(texts) if value in text)
        findings[cell].append(Finding(start, start + len(value), info_type, Likelihood.LIKELY, "rules"))
    return [sorted(cell) for cell in findings]


AGAIN = [(name, row) for name, rows in cases(__file__, "AGAIN").items() for row in rows]


@pytest.mark.parametrize("row", [row for _, row in AGAIN], ids=[name for name, _ in AGAIN])
def test_what_was_found_is_found_again(row):
    """The texts of mentions beyond ``found`` (value to infoType) and ``labels``, by text."""
    texts, again = row["texts"], [[] for _ in row["texts"]]
    for cell, more in find_mentions(texts, found_in(texts, row.get("found", {})), row.get("labels")):
        again[cell] = [texts[cell][finding.start : finding.end] for finding in more]
    assert again == row["again"]


def test_findings_say_what_they_are_of_and_who_found_them():
    texts = ["Ann Lee", "So Ann met Pam."]
    ((_, mentions),) = find_mentions(texts, found_in(texts, ANN), {"Pam": "FIRST_NAME"})
    assert [(m.info_type, m.likelihood, m.detector) for m in mentions] == [
        ("PERSON_NAME", Likelihood.LIKELY, DETECTOR),
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


def test_values_of_too_many_words_are_searched_for_by_no_part():
    forms = Known({("ORGANIZATION_NAME", "a " * (MOST_WORDS + 1)): ""}, {"a"})
    assert not forms.phrases
    assert not forms.words
