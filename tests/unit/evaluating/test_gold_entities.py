from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.evaluating.matches import gold_entities
from tacenda.transforms.schema.conversation import AnnotatedSpan


def clustered(*cells):
    """Each cell is marked values, ``value:LABEL`` or ``value:LABEL:entity``."""
    texts, spans = [], []
    for cell in cells:
        text, found = "", []
        for value, label, *entity in (word.split(":") for word in cell):
            found.append(AnnotatedSpan(len(text), len(text) + len(value), label, *entity))
            text += value + " "
        texts.append(text)
        spans.append(found)
    return gold_entities(texts, spans, gold_labels())


def test_equal_values_of_one_class_are_one_entity():
    numbers, certain = clustered(
        ["Ann Lee:PERSON_NAME", "Lagos:CITY"],
        [],
        ["Dr. ann lee:PERSON_NAME", "Lagos:LOCATION", "Lagos:PERSON_NAME"],
    )
    assert numbers == [[0, 1], [], [0, 1, 2]]
    assert certain == [[True, True], [], [True, True, True]]


def test_a_partial_name_is_not_linked_to_a_full_one():
    numbers, certain = clustered(
        ["Ann Lee:PERSON_NAME", "Ann:PERSON_NAME", "Lee, Ann:PERSON_NAME", "Bo:PERSON_NAME"]
    )
    assert numbers == [[0, 1, 2, 3]]
    assert certain == [[False, False, False, True]]
    assert clustered(["Ann Lee:PERSON_NAME", "Ann:LOCATION"]).certain == [[True, True]]


def test_an_inflected_name_may_be_the_name():
    certain = clustered(
        [
            "Matti Virtanen:PERSON_NAME",
            "Virtasen:PERSON_NAME",
            "Virtanen:PERSON_NAME",
            "Bo Karlsson:PERSON_NAME",
        ],
        ["Bo Karlssons:PERSON_NAME", "Lund:PERSON_NAME", "Virtasen:LOCATION"],
    ).certain
    assert certain == [[True, False, False, False], [False, True, True]]


def test_the_annotators_entity_takes_precedence():
    numbers, certain = clustered(["Ann Lee:PERSON_NAME:p1", "Ann:PERSON_NAME:p1"], ["Ann:PERSON_NAME:p2"])
    assert numbers == [[0, 0], [1]]
    assert certain == [[True, True], [True]]
