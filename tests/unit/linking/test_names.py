import pytest

from tacenda.transforms.linking.names import (
    Name,
    agreement,
    compatible,
    confidence,
    is_typo,
    parse_name,
    sound_key,
    weakest,
)


@pytest.mark.parametrize(
    "written",
    ["Ann Lee", "LEE, ANN", "Lee,Ann", "ann lee", "Ann Lee's", "ANN LEE’S", "Ms. Ann Lee", "Ann_Lee", "ann.lee",
     "A-N-N L-E-E.", "A N N Lee", "A as in apple N N Lee",
     "Ann Lee l-e-e", "a-n-n l-e-e", "Ann  Lee, MD", "Ánn Leé"],
)  # fmt: skip
def test_spellings_of_one_name_are_equal(written: str) -> None:
    assert parse_name(written).words == ("ann", "lee")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ms Lee", Name(("lee",), (), "ms", "f")),
        ("Herr Müller", Name(("muller",), (), "herr", "m")),
        ("Prof. Dr. Rachel Green", Name(("rachel", "green"), (), "dr")),
        ("J.R.R. Tolkien", Name(("j", "r", "r", "tolkien"))),
        ("Anna van der Berg", Name(("anna", "berg"), ("van", "der"))),
        ("F. E. A. T. H. E. R.", Name(("feather",))),
        ("J. R. Tolkien", Name(("j", "r", "tolkien"))),
        ("B as in boy, H for Harry, A, T as in Tom", Name(("bhat",))),
        ("van der Berg", Name(("berg",), ("van", "der"))),
        ("María García López", Name(("maria", "garcia", "lopez"))),
        ("John Smith Jr.", Name(("john", "smith"), suffix="jr")),
        ("Smith, Jr.", Name(("smith",), suffix="jr")),
        ("Lynne Neagle AM", Name(("lynne", "neagle"))),
        ("O'Brien's", Name(("obrien",))),
        ("James'", Name(("james",))),
        ("Dr", Name(("dr",))),
        ("Jr", Name(("jr",))),
        ("राम शर्मा", Name(("राम", "शरमा"))),
        ("...", Name(())),
        ("", Name(())),
    ],
)
def test_the_parts_of_a_name(written: str, name: Name) -> None:
    assert parse_name(written) == name


def test_given_and_family_names_are_recognised_from_spelling() -> None:
    assert (parse_name("Ann Marie Lee").given, parse_name("Ann Marie Lee").family) == ("ann", "lee")
    assert parse_name("Ann Marie Lee").middle == ("marie",)
    assert (parse_name("Lee").given, parse_name("Lee").family) == ("", "")
    assert parse_name("Ms Lee").family == parse_name("van Lee").family == "lee"
    assert parse_name("A. Lee").has_initial
    assert not parse_name("Ann Lee").has_initial


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Ann", "Ann Lee", "part"),
        ("Lee", "Ann Lee", "part"),
        ("Ms Lee", "Ann Lee", "part"),
        ("Miss Ann", "Ann Lee", "titled_given"),
        ("LEE, ANN", "Ann Lee", "same"),
        ("lee a n n", "Ann Lee", "turned"),
        ("A. Lee", "Ann Lee", "initial"),
        ("J.S.", "John Smith", "initial"),
        ("Bill Scott", "William Scott", "nickname"),
        ("Bill Essick", "William Essick", "nickname"),
        ("Bill", "William Scott", "nickname"),
        ("Mahmood", "Mahmoud", "sound"),
        ("L Merchant", "Lalit Merchant", "initial"),
        ("Blatter", "Michael S. Blatter", "part"),
        ("Muñoz", "Munoz", "same"),
        ("John R. Doe", "John Roe Doe", "initial"),
        ("María García", "María García López", "part"),
        ("Mary Ann", "Mary Ann Lee", "part"),
        ("Ann Lee", "Mary Ann Lee", "middle"),
        ("Anne-Marie Lee", "Anne Lee", "part"),
        ("Berg", "Anna van der Berg", "part"),
        ("Mark", "M-A-R-K", "same"),
        ("Mr Puerta", "Mariano Puerta", "part"),
    ],
)
def test_names_of_the_same_person_agree(one: str, other: str, how: str) -> None:
    names = parse_name(one), parse_name(other)
    assert agreement(*names) == agreement(*reversed(names)) == how
    assert compatible(*names) == confidence(how) > 0.5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("John Smith", "Jane Smith"),
        ("Mr Smith", "Ms Smith"),
        ("Mr Ann Lee", "Ms Ann Lee"),
        ("John Smith Jr", "John Smith Sr."),
        ("John A. Smith", "John B. Smith"),
        ("Jean-Luc Picard", "Jean-Paul Picard"),
        ("Ann", "Lee"),
        ("Ann Lee", "Ann Smith"),
        ("Mary Smith", "Mario Smith"),
        ("Alexander Lee", "Alexandra Lee"),
        ("J. Smith", "Ann Smith"),
        ("J", "John Smith"),
        ("van den Berg", "Anna van der Berg"),
        ("Laura Puerta", "Mariano Puerta"),
        ("", "Ann"),
    ],
)
def test_names_of_different_people_disagree(one: str, other: str) -> None:
    names = parse_name(one), parse_name(other)
    assert compatible(*names) == compatible(*reversed(names)) == 0.0


def test_words_that_sound_alike() -> None:
    assert sound_key("mark") == sound_key("marc")
    assert sound_key("sofia") == sound_key("sophia")
    assert sound_key("mary") != sound_key("mario")
    assert sound_key("john") != sound_key("jane")
    assert sound_key("李") == "李"
    assert sound_key("al") == "al"
    assert sound_key("a12") == "a12"


def test_a_typo_is_one_letter_of_a_long_word() -> None:
    assert is_typo("mahmood", "mahmoud")
    assert is_typo("kowalczyk", "kowalcyk")
    assert not is_typo("smith", "south")
    assert not is_typo("lee", "lea")
    assert not is_typo("berg", "sberg")


def test_the_weakest_agreement_counts() -> None:
    assert weakest("same", "sound", "part") == "sound"
    assert weakest("same", "") == ""
