from tacenda.transforms.replacing.surrogates.number_words import number_words, number_words_for


def test_two_digits_are_said_as_people_say_them() -> None:
    english = number_words()[0]
    said = [english.say(digits) for digits in ("7", "42", "40", "13", "07", "00")]
    assert said == ["seven", "forty two", "forty", "thirteen", "zero seven", "zero zero"]


def test_days_of_the_month_have_ordinals() -> None:
    english = number_words()[0]
    assert [english.say_ordinal(day) for day in (1, 20, 21, 31)] == [
        "first",
        "twentieth",
        "twenty first",
        "thirty first",
    ]


def test_the_language_is_that_of_most_words() -> None:
    assert number_words_for(["fyra", "två", "x"]).language == "sv"
    assert number_words_for(["siete", "dos"]).language == "es"
    assert number_words_for(["nothing"]).language == "en"
