from tacenda.transforms.linking.propagation.inflections import inflecting
from tacenda.transforms.linking.propagation.known import MOST_WORDS, Known, Value, kind_of


def known(*values: tuple[str, str]) -> Known:
    return Known([Value(info_type, text, "") for info_type, text in values], ())


def test_the_forms_of_a_name() -> None:
    forms = known(("PERSON_NAME", "Dr. Robert Lee"))
    assert set(forms.words) == {"robert", "lee"}
    assert {("robert", "lee"), ("lee", "robert")} == set(forms.phrases)
    assert "bob" in forms.nicknames
    assert "rlee" in forms.accounts
    assert forms.initials == {"robert": {"l"}, "lee": {"r"}}
    assert {"robert", "lee"} <= set(forms.stems)


def test_small_words_of_a_name_with_capitals_are_no_parts() -> None:
    assert set(known(("PERSON_NAME", "Ask Karlsson for it")).words) == {"ask", "karlsson"}
    assert set(known(("PERSON_NAME", "ann lee")).words) == {"ann", "lee"}


def test_particles_are_not_parts_of_a_name() -> None:
    forms = known(("PERSON_NAME", "Ludwig van der Berg"))
    assert set(forms.words) == {"ludwig", "berg"}
    assert ("van", "der", "berg") in forms.phrases


def test_two_letters_need_a_capital() -> None:
    assert set(known(("PERSON_NAME", "Li Wu")).words) == {"li", "wu"}
    assert not known(("PERSON_NAME", "li")).words


def test_a_word_in_many_names_keeps_a_limited_number() -> None:
    forms = known(*(("PERSON_NAME", f"Anna Berg{i}x") for i in range(100)))
    assert 1 < len(forms.words["anna"].owners) < 20


def test_values_of_too_many_words_are_left_out() -> None:
    assert not known(("ORGANIZATION_NAME", "a " * (MOST_WORDS + 1))).phrases
    assert known(("ORGANIZATION_NAME", "one two")).phrases
    assert not known(("PHONE_NUMBER", "415 555")).phrases


def test_stems_of_an_inflected_name() -> None:
    values = [Value("PERSON_NAME", "Virtasen", "")]
    assert "virtanen" in Known(values, inflecting({"ja", "on"})).stems


def test_kinds() -> None:
    assert [kind_of(name) for name in ("PERSON_NAME", "AGE", "EMAIL_ADDRESS", "PHONE_NUMBER")] == [
        "names", "never", "accounts", "",
    ]  # fmt: skip
