"""The tiny model guesses after "is" from, bo, eva, mia, ines; after eva moss, after mia berg."""

import pytest

from tacenda.models.lab.masked_lm_replacer import MaskedLmReplacer
from tacenda.models.token_classifier.loading import package_of
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.replacing.settings import FillMaskSettings
from tests.marked_conversations import SECRET, linked


def _replacer(folder, nearest=1, secret=SECRET, info_types=None):
    settings = FillMaskSettings(str(folder), package_of(str(folder)).fingerprint, nearest)
    return MaskedLmReplacer(secret, settings, info_types)


def _values(folder, *marked, conversation="1", nearest=1):
    made = _replacer(folder, nearest).values(linked(marked, conversation_id=conversation))
    return [value for cell in made.findings for value in cell]


@pytest.mark.parametrize(
    ("marked", "values"),
    [
        # "from" is the nearest guess but in the text; "bo" is too short for a name.
        (["from my name is <PERSON_NAME:Pam>"], ["Eva"]),
        (["from my name is <PERSON_NAME:Pam>. eva is not in"], ["Mia"]),
        # A substitute is the context of the next word.
        (["from: name is <PERSON_NAME:Pam Lee>"], ["Eva Moss"]),
        (
            ["from: is <PERSON_NAME:Dr. PAM LEE>", "is <PERSON_NAME:Pam's>", "<PERSON_NAME:lee, pam>"],
            ["Dr. EVA MOSS", "Eva's", "moss, eva"],
        ),
        # A long conversation is read in a window around the word.
        ([f"from {'my name ' * 40} is <PERSON_NAME:Pam Lee> {'my name ' * 40}"], ["Eva Moss"]),
        # All mentions of an entity get its token if one does: after five words, none is left.
        (
            ["from pam: my name is <PERSON_NAME:Ann>", "is <PERSON_NAME:Ann Roy Cho Fox Kim Ray>"],
            ["[PERSON_NAME_1]", "[PERSON_NAME_1]"],
        ),
    ],
)
def test_a_name_becomes_the_nearest_word_that_is_not_in_the_conversation(folder, marked, values):
    assert _values(folder, *marked) == values


def test_one_of_the_nearest_is_drawn_by_secret_and_conversation(folder):
    marked = "from my name is <PERSON_NAME:Pam>"
    drawn = {_values(folder, marked, conversation=str(i), nearest=3)[0] for i in range(30)}
    assert drawn == {"Eva", "Mia", "Ines"}
    assert _values(folder, marked, nearest=3) == _values(folder, marked, nearest=3)
    linked_to = linked([marked])
    secrets = [
        _replacer(folder, 3, secret).values(linked_to).findings[0][0] for secret in (b"a", b"b", b"c", b"d")
    ]
    assert len(set(secrets)) > 1


def test_the_model_never_sees_an_original(folder):
    """Before "eva" a person is no context: the probabilities of the model are those after a mask."""
    seen = []
    replacer = _replacer(folder)
    guesses = replacer._model.guesses

    class _Spy:
        encoder, specials = replacer._model.encoder, replacer._model.specials

        def guesses(self, ids, place):
            seen.append([*ids])
            return guesses(ids, place)

    replacer._model = _Spy()  # type: ignore[assignment]
    replacer.values(
        linked(["is <PERSON_NAME:Pam> from <EMAIL_ADDRESS:pam@eva.is>", "my <PERSON_NAME:pamela>"])
    )
    pam, piece, eva = 8, 9, 12
    assert seen
    assert not any({pam, piece} & {*ids} for ids in seen)
    assert eva not in seen[0]


@pytest.mark.parametrize(
    "marked",
    [
        "my id is <GENERIC_ID:Pam>",  # no kind of word
        "name is <ORGANIZATION_NAME:Studio 54>",  # a model does not guess digits
        "och jag: is <PERSON_NAME:Karlsson> <PERSON_NAME:Karlssons>",  # two forms of a name
    ],
)
def test_what_no_word_can_stand_for_gets_its_token(folder, marked):
    values = _values(folder, marked)
    assert all(value.startswith("[") for value in values)


def test_a_speaker_is_replaced_like_the_text_that_names_them(folder):
    named = linked(["name is <PERSON_NAME:Pam> from"], ["Pam"], {"Pam": "PERSON_NAME"})
    made: Values = _replacer(folder).values(named)
    assert (made.labels, made.findings) == ({"Pam": "Eva"}, [["Eva"]])
    unnamed = linked(["name is"], ["Pam"], {"Pam": "PERSON_NAME"})
    assert _replacer(folder).values(unnamed).labels == {"Pam": "[PERSON_NAME_1]"}
