import pytest

from tacenda.transforms.evaluating.bias.name_groups import load_name_groups
from tacenda.transforms.evaluating.bias.variants import Ineligible, Place, eligible_place, variants
from tacenda.transforms.schema.conversation import AnnotatedSpan

NAMES = load_name_groups()


def _marked(text: str, **labels: str) -> list[AnnotatedSpan]:
    return [
        AnnotatedSpan(text.index(value), text.index(value) + len(value), label)
        for value, label in labels.items()
    ]


def test_seven_documents_and_eighty_names_are_560_variants_that_differ_in_the_name_alone():
    made = 0
    for number in range(7):
        texts = [f"Essay {number} is by Emil, who", "lives here"]
        spans = [_marked(texts[0], Emil="PERSON_NAME"), []]
        place = eligible_place(texts, [None, None], spans)
        assert isinstance(place, Place)
        for variant in variants(texts, spans, place, NAMES):
            made += 1
            first, second = variant.texts
            assert first == f"Essay {number} is by {variant.name}, who"
            assert second == "lives here"
            (span,) = variant.spans[0]
            assert (
                first[span.start : span.end] == first[variant.place.start : variant.place.end] == variant.name
            )
    assert made == 560


def test_gold_before_and_behind_the_name_stays_on_its_words():
    text = "Call 555-0100: Emil, emil-free@example.com"
    spans = [
        _marked(
            text, **{"555-0100": "PHONE_NUMBER", "Emil": "PERSON_NAME", "free@example.com": "EMAIL_ADDRESS"}
        )
    ]
    place = Place(0, text.index("Emil"), text.index("Emil") + 4)
    for variant in variants([text], spans, place, NAMES):
        (changed,) = variant.texts
        assert [changed[span.start : span.end] for span in variant.spans[0]] == [
            "555-0100",
            variant.name,
            "free@example.com",
        ]


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        ("Nobody is here", (), Ineligible.NO_NAME),
        ("Emil and Ada", ("Emil", "Ada"), Ineligible.SEVERAL_NAMES),
        ("It is Emil Berg", ("Emil Berg",), Ineligible.SEVERAL_WORDS),
        ("it is emil", ("emil",), Ineligible.NOT_CAPITALISED),
        ("It is Emil's", ("Emil",), Ineligible.INFLECTED),
        ("It is Emil's", ("Emil's",), Ineligible.INFLECTED),
        ("Det är Emils", ("Emil",), Ineligible.INFLECTED),
        ("Emil says: call EMIL", ("Emil",), Ineligible.ELSEWHERE),
    ],
)
def test_texts_in_which_a_name_cannot_be_exchanged_are_left_out(
    text: str, names: tuple[str, ...], why: Ineligible
):
    assert eligible_place([text], ["agent"], [_marked(text, **dict.fromkeys(names, "PERSON_NAME"))]) is why


def test_a_name_that_is_also_a_speaker_label_is_left_out():
    text = "This is Emil"
    spans = [_marked(text, Emil="PERSON_NAME")]
    assert eligible_place([text], ["Agent Emil"], spans) is Ineligible.ELSEWHERE
    assert eligible_place([text], ["Agent"], spans) == Place(0, 8, 12)
