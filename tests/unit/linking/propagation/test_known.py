from tacenda.transforms.linking.propagation.inflections import inflecting
from tacenda.transforms.linking.propagation.known import MOST_WORDS, Known, Value, kind_of


def known(*values: tuple[str, str]) -> Known:
    return Known([Value(info_type, text, "") for info_type, text in values], ())


def test_the_forms_of_a_name() -> None:
    forms = known(("PERSON_NAME", "Dr. Robert Lee"))
    assert {"robert", "lee", "rlee", "robertlee"} <= set(forms.words)
    assert {("robert", "lee"), ("lee", "robert")} == set(forms.phrases)
    assert "bob" in forms.nicknames
    assert {"robert", "lee"} <= {*forms.stems("ro"), *forms.stems("le")}


def test_small_words_of_a_name_with_capitals_are_no_parts() -> None:
    assert {"ask", "karlsson"} == {"ask", "karlsson", "for", "it"} & set(
        known(("PERSON_NAME", "Ask Karlsson for it")).words
    )
    assert {"ann", "lee"} <= set(known(("PERSON_NAME", "ann lee")).words)


def test_particles_are_not_parts_of_a_name() -> None:
    forms = known(("PERSON_NAME", "Ludwig van der Berg"))
    assert {"ludwig", "berg"} == {"ludwig", "van", "der", "berg"} & set(forms.words)
    assert ("van", "der", "berg") in forms.phrases


def test_two_letters_need_a_capital() -> None:
    assert {"li", "wu"} <= set(known(("PERSON_NAME", "Li Wu")).words)
    assert not known(("PERSON_NAME", "li")).words


def test_values_of_too_many_words_are_left_out() -> None:
    assert not known(("ORGANIZATION_NAME", "a " * (MOST_WORDS + 1))).phrases
    assert known(("ORGANIZATION_NAME", "one two")).phrases
    assert not known(("PHONE_NUMBER", "415 555")).phrases


def test_stems_of_an_inflected_name() -> None:
    values = [Value("PERSON_NAME", "Virtasen", "")]
    assert "virtanen" in Known(values, inflecting({"ja", "on"})).stems("vi")


def test_kinds() -> None:
    assert [kind_of(name) for name in ("PERSON_NAME", "AGE", "STREET_ADDRESS", "PHONE_NUMBER")] == [
        "names", "never", "addresses", "",
    ]  # fmt: skip
