from tacenda.transforms.detecting.spoken.tokens import Form, glued, phrase_at, tokens


def test_tokens_have_their_places_and_are_folded():
    found = tokens("It’s ÅTTA 12,é")
    assert [(t.start, t.end, t.form, t.folded) for t in found] == [
        (0, 4, Form.WORD, "it's"),
        (5, 9, Form.WORD, "åtta"),
        (10, 12, Form.FIGURES, "12"),
        (12, 13, Form.MARK, ","),
        (13, 14, Form.WORD, "é"),
    ]
    assert [t.capital for t in found] == [True, True, False, False, False]


def test_a_decomposed_letter_is_one_word_in_its_composed_form():
    (token,) = tokens("a\u030atta")
    assert (token.start, token.end, token.folded) == (0, 5, "åtta")


def test_figures_of_other_scripts_are_read_as_ascii():
    assert [t.folded for t in tokens("١٢٣")] == ["123"]


def test_hyphenated_words_of_the_lexicon_count_as_one():
    assert [t.folded for t in tokens("E-mail 5e-mail e-mail-x e - mail")] == [
        *("e-mail", "5", "e", "-", "mail"),
        *("e-mail", "-", "x"),
        *("e", "-", "mail"),
    ]


def test_glued_words_and_phrases_are_tokens():
    found = tokens("at sign@x")
    assert glued(found[1], found[2])
    assert not glued(found[0], found[1])
    assert phrase_at(found, 0, ("at", "sign"))
    assert not phrase_at(found, 3, ("x", "y"))


def test_tokens_never_hold_the_end_of_a_line():
    assert [(t.start, t.folded) for t in tokens("four\n\n4")] == [(0, "four"), (6, "4")]
