from pathlib import Path

import pytest

from tacenda.models.masked_lm.words import Document, document
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.transforms.text.column import TextColumn


def _read(folder: Path, *texts: str) -> Document:
    encoder = read_encoder(folder / "tokenizer.json")
    return document(texts, encoder.encode(TextColumn(texts)), encoder.separating)


def test_words_have_their_tokens_and_a_separator_follows_each_cell(folder: Path) -> None:
    read = _read(folder, "my name is Pamela.", "Pamela")
    assert read.ids.tolist() == [5, 6, 7, 8, 9, 11, 3, 8, 9, 3]
    assert [tuple(word)[:5] for word in read.words] == [
        (0, 0, 2, 0, 1),
        (0, 3, 7, 1, 2),
        (0, 8, 10, 2, 3),
        (0, 11, 17, 3, 5),
        (1, 0, 6, 7, 9),
    ]
    groups = [word.group for word in read.words]
    assert groups[3] == groups[4]
    assert len(set(groups)) == 4


@pytest.mark.parametrize(
    ("texts", "same"),
    [
        (("Juha sanoi ja se on", "Juhan auto on se"), True),
        (("och jag ringde Karlsson", "Karlssons bil och jag"), True),
        (("my name is pam", "from my name"), False),
        (("Zoë", "zoe"), True),
    ],
)
def test_forms_of_a_word_are_one_group(folder: Path, texts: tuple[str, str], same: bool) -> None:
    read = _read(folder, *texts)
    written = [texts[word.cell][word.start : word.end].lower() for word in read.words]
    named = ("juha", "karlsson", "pam", "from", "zo")
    groups = [word.group for word, text in zip(read.words, written, strict=True) if text.startswith(named)]
    assert len(groups) == 2
    assert (groups[0] == groups[1]) is same


def test_a_name_within_an_email_address_is_a_copy(folder: Path) -> None:
    groups = [word.group for word in _read(folder, "pam", "pam.my@name.is").words]
    assert groups[0] == groups[1]
