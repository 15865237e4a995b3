import pytest

from tacenda.transforms.auditing.speaker_cues import is_own
from tests.growth import grows_linearly

OWN = [
    "<Dunder Mifflin>, this is [PERSON_NAME_1] green speaking.",
    "Hi, this is mark from <ABC Trust Fund>, we just ordered a set of paper",
    "This is [PERSON_NAME_3] calling back from <XYZ lawyer>.",
    "thank you for calling <Acme>, how can i help",
    "good morning <south thames housing association> you're speaking to ikechukwu",
    "hi this is monica with <cedar grove radiology> i'm calling for robert",
    "Well, I work for <Acme>.",
    "On behalf of the <Acme Group> I wanted to say sorry.",
    "<Acme> customer support, my name is Bo.",
    "That runs on our <CloudSync> platform.",
    "Välkommen till <Telia>, det är Anna.",
    "Guten Tag, ich rufe von der Firma <Siemens> an.",
    "Bienvenue chez <Orange>, en quoi puis-je vous aider ?",
    "Gracias por llamar a <Movistar>, le habla Ana.",
]
OTHERS = [
    "and they have worse quality than <staples>. We would like to return",
    "I have an iPhone from <Apple>.",
    "this is about an order from <Amazon>",
    "Did you buy it at <Target>?",
    "I got a mail from <Google> yesterday.",
    "<Apple> makes good phones.",
    "I would rather go with <Telia>.",
]


def _is_own(text: str) -> bool:
    start, end = text.index("<"), text.index(">") - 1
    return is_own(text.replace("<", "").replace(">", ""), start, end)


@pytest.mark.parametrize("text", OWN)
def test_speakers_who_represent_a_company(text: str) -> None:
    assert _is_own(text)
    assert _is_own(text.upper())


@pytest.mark.parametrize("text", OTHERS)
def test_a_company_that_is_only_mentioned_is_not_the_speakers(text: str) -> None:
    assert not _is_own(text)


def test_speaker_cues_take_linear_time() -> None:
    def look(repeats: int) -> None:
        text = "this is our our our at at from " * repeats + "Acme" + " speaking this is" * repeats
        is_own(text, 31 * repeats, 31 * repeats + 4)

    assert grows_linearly(look, 2000)
