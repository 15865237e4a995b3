import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.replacement import says, unhidden
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("value", "original"),
    [
        ("Homer Simpson", "Homer Simpson"),
        ("HOMER  simpson!", "Homer Simpson"),
        ("HomerSimpson", "Homer Simpson"),
        ("our Homer Simpson of Springfield", "Homer Simpson"),
        ("Simpson", "Homer Simpson"),
        ("555 0100", "5550100"),
    ],
)
def test_a_value_with_the_words_of_the_original_hides_nothing(value: str, original: str) -> None:
    assert says(value, original)


@pytest.mark.parametrize(
    ("value", "original"), [("[Anonymous]", "Ann"), ("NAME", "Homer"), ("", "Homer"), ("***", "?!")]
)
def test_others_hide_it(value: str, original: str) -> None:
    assert not says(value, original)


def test_findings_and_labels_are_counted_by_info_type_where_their_value_is_fixed() -> None:
    found = [[Finding(0, 5, "PERSON_NAME", Likelihood.LIKELY, "rules")]] * 3
    linked = link_conversation(
        ["Homer", "homer", "Marge"], ["Homer", None, None], found, {"Homer": "PERSON_NAME"}
    )
    values = [["Homer"], ["Homer"], ["Homer"]]
    assert unhidden(linked, values, {"Homer": "Homer"}, {"Homer"}) == {"unhidden/PERSON_NAME": 3}
    assert not unhidden(linked, values, {"Homer": "Homer"}, {"Bart"})
