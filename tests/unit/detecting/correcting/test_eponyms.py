from importlib.resources import files

import pytest
import yaml

from tacenda.transforms.detecting import correcting
from tacenda.transforms.detecting.correcting.eponyms import EponymMarking
from tacenda.transforms.detecting.correcting.marks import Protected
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.text.column import TextColumn

DATA = yaml.safe_load(files(correcting).joinpath("eponyms.yaml").read_text("utf-8"))


def _places(text: str) -> list[str]:
    return [text[start:end] for start, end in EponymMarking().places(text)]


@pytest.mark.parametrize(
    ("text", "eponym"),
    [
        ("Dr. Sjögren suspects Sjögren's syndrome.", "Sjögren's syndrome"),
        ("sjogrens syndrome since may", "sjogrens syndrome"),
        ("she has crohns disease", "crohns disease"),
        ("she has Crohn’s, and", "Crohn’s"),
        ("Guillain–Barré syndrome", "Guillain–Barré syndrome"),
        ("von Willebrand disease", "von Willebrand disease"),
        ("Babinski negative", "Babinski negative"),
        ("Rombergs prov ua", "Rombergs prov"),
        ("Apgar score of 9", "Apgar score"),
        ("Pierre Robin syndrome", "Pierre Robin syndrome"),
        ("Still's disease", "Still's disease"),
        ("Ménière disease", "Ménière disease"),
        ("Parkinson-like symptoms", "Parkinson-like symptoms"),
        ("Pierre Robin sequence was noted", "Pierre Robin sequence"),
        ("Glasgow Coma Scale 15", "Glasgow Coma Scale"),
        ("diagnosed with non-Hodgkin's lymphoma", "non-Hodgkin's lymphoma"),
        ("she has Non-Hodgkin's.", "Non-Hodgkin's"),
        ("Morbus Crohn seit 2010", "Morbus Crohn"),
        ("med Mb Bechterew och", "Mb Bechterew"),
        ("tiene síndrome de Down", "síndrome de Down"),
        ("Crohnin tauti", "Crohnin tauti"),
        ("had Guillain-Barré in May", "Guillain-Barré"),
        ("Apgar 9-10-10", "Apgar 9"),
    ],
)
def test_an_eponym_needs_its_head_word(text: str, eponym: str) -> None:
    assert _places(text) == [eponym]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Sjögren called",
        "Robin said so",
        "Still, it hurts",
        "Graves called",
        "Mr Parkinson's disease history",
        "nurse Babinski negative",
        "I met Anna Wilson disease",
        "J. Wilson disease",
        "I spoke to Parkinson's daughter",
        "Crohn's office is closed",
        "Parkinson's test results",
        "Pierre Robin called",
        "Robin came",
        "Mr Still called",
        "M. Parkinson est venu",
        "Dr. Alzheimer called",
        "Apgar called",
        "I met Anna Guillain-Barré",
        "hablé con Down",
    ],
)
def test_a_person_is_not_an_eponym(text: str) -> None:
    assert _places(text) == []


def test_every_name_of_the_lexicon_is_found_with_its_head() -> None:
    heads = {"diseases": "disease", "signs": "sign", "scales": "score", "procedures": "procedure"}
    names = [(name, heads[group]) for group, data in DATA["groups"].items() for name in data["names"].split()]
    assert len({name for name, _ in names}) >= 317
    for name, head in names:
        for spelled in (name, name.replace("-", " "), f"{name}'s", f"{name.lower()}s"):
            assert _places(f"the {spelled} {head} here") == [f"{spelled} {head}"], spelled


def test_only_person_findings_can_be_eponyms() -> None:
    batch = ConversationBatch.of_turns([[("agent", "nothing"), ("agent", "a Romberg test")]])
    marks = EponymMarking().marks(batch, TextColumn(batch.texts))
    ((cell, [protected]),) = marks.protected.items()
    assert (cell, protected[:2], protected.why) == (1, (2, 14), "eponym")
    assert isinstance(protected, Protected)
    assert protected.info_types is not None
    assert "PERSON_NAME" in protected.info_types
    assert "EMAIL_ADDRESS" not in protected.info_types


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Patienten har Crohns sjukdom.", ["Crohns sjukdom"]),
        ("Hon har Parkinsons och mår bra.", ["Parkinsons"]),
        ("Pasienten hadde Alzheimers siden 2003.", ["Alzheimers"]),
        ("Parkinsons hund heter Bella.", []),
        ("Hon har Parkinsons hund hos sig.", []),
    ],
)
def test_nordic_genitives_have_no_apostrophe(text: str, stays: list[str]) -> None:
    assert [text[start:end] for start, end in EponymMarking().places(text)] == stays
