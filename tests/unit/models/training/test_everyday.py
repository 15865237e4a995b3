import zipfile
from pathlib import Path

import pytest

from tacenda.models.training.corpora import LabelScheme, messages, read_gold
from tacenda.transforms.schema.errors import UserError

CATALOGUE = r"""
msgid ""
msgstr ""
"Last-Translator: Ann Lee <ann@example.org>\n"

msgid "x"
msgstr "Proszę podać hasło jeszcze raz."

msgid "y"
msgid_plural "ys"
msgstr[0] ""
"Zapisano zmiany w tym "
"dokumencie."
msgstr[1] "Zapisano %d zmian w tych dokumentach."

msgid "z"
msgstr "Zapisz"
"""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    path = tmp_path / "shop-1.0.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for language in ("pl", "pl_PL", "xx"):
            archive.writestr(f"shop/locale/{language}/LC_MESSAGES/django.po", CATALOGUE)
    return path


def test_messages_are_sentences_without_place_holders_and_translators(wheel: Path) -> None:
    sentences = ["Proszę podać hasło jeszcze raz.", "Zapisano zmiany w tym dokumencie."]
    assert list(messages(wheel, ["pl"])) == [("pl", text) for text in sentences * 2]


def test_gold_is_complete_and_the_same_each_time(wheel: Path) -> None:
    records = list(read_gold([wheel]))
    assert records == list(read_gold([wheel]))
    scheme = LabelScheme.load()
    scheme.refuse_unknown(records)
    scheme.refuse_unknown_corpora(records)
    assert {"pl", "de", "it", "tr"} <= {record["lang"] for record in records}
    named = [turn for record in records for turn in record["turns"] if turn["spans"]]
    assert 0.2 < len(named) / len(records) < 0.8
    for turn in named:
        for span in turn["spans"]:
            value = turn["text"][span["start"] : span["end"]]
            assert value == value.strip() != ""
    assert not any("{" in turn["text"] for record in records for turn in record["turns"])
    assert {record["gold"] for record in records} == {"complete"}


def test_a_file_that_is_no_wheel_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.whl").write_text("no")
    with pytest.raises(UserError, match=r"x\.whl: cannot be read \(BadZipFile\); give a wheel"):
        list(read_gold([tmp_path / "x.whl"]))
