import re
from collections import Counter

import pytest

from tacenda.transforms.replacing.hiding.replacer import HidingReplacer, family_names
from tacenda.transforms.replacing.hiding.settings import HidingSettings, Variant
from tacenda.transforms.replacing.replacement import Values, replace_conversation
from tests.marked_conversations import SECRET, linked

TEXT = " ".join(["<PERSON_NAME:Ann Lee> called."] * 12)


def _values(*marked: str, conversation: str = "1", **settings: object) -> Values:
    replacer = HidingReplacer(SECRET, HidingSettings(**settings))  # type: ignore[arg-type]
    return replacer.values(linked(marked, conversation_id=conversation))


def _tokens(values: Values) -> Counter[str]:
    return Counter(word for cell in values.findings for value in cell for word in value.split(" "))


def test_a_secret_is_required() -> None:
    with pytest.raises(ValueError, match="secret"):
        HidingReplacer(b"", HidingSettings())


@pytest.mark.parametrize("variant", ["sequence", "per_value"])
def test_no_name_occurs_more_than_t_times(variant: Variant) -> None:
    counted = _tokens(_values(TEXT, variant=variant, p=0.9, t=4))
    assert sum(counted.values()) == 24
    assert max(counted.values()) == 4
    assert {"Ann", "Lee"}.isdisjoint(counted)


def test_surrogates_do_not_depend_on_the_name() -> None:
    assert len({value for cell in _values(TEXT).findings for value in cell}) > 6


def test_the_form_of_a_mention_stays() -> None:
    made = _values(
        "<PERSON_NAME:Ms. LEE's> and <PERSON_NAME:lee, a.> and <PERSON_NAME:Jan van der Meer>"
    ).findings[0]
    assert re.fullmatch(r"Ms\. [A-Z]{4,}'s", made[0])
    assert re.fullmatch(r"[a-z]{4,}, [a-z]\.", made[1])
    assert re.fullmatch(r"[A-Z]\w+ van der [A-Z]\w+", made[2])


def test_documents_draw_independently() -> None:
    assert _values(TEXT) == _values(TEXT)
    assert not set(_tokens(_values(TEXT))) & set(_tokens(_values(TEXT, conversation="2")))


def test_what_is_outside_of_names_stays_to_the_byte() -> None:
    conversation = linked(["Well, <PERSON_NAME:Ann>, é \u2028 ok"])
    out = replace_conversation(conversation, HidingReplacer(SECRET, HidingSettings()).values(conversation))
    assert re.fullmatch("Well, [A-Z][a-z]+, é \u2028 ok", out.texts[0])


def test_other_info_types_use_their_own_replacer() -> None:
    assert _values("<EMAIL_ADDRESS:a@b.com> of <PERSON_NAME:Ann>").findings[0][0] == "[EMAIL_ADDRESS_1]"


def test_speakers_are_hidden_too() -> None:
    conversation = linked(["<PERSON_NAME:Ann> here"], ["Ann"], {"Ann": "PERSON_NAME"})
    made = HidingReplacer(SECRET, HidingSettings()).values(conversation)
    assert made.labels["Ann"] in family_names()


def test_an_exhausted_list_gives_tokens() -> None:
    everybody = " ".join(family_names())
    assert _values(f"<PERSON_NAME:Ann> {everybody}").findings == [["[PERSON_NAME_1]"]]
