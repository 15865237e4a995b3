from tacenda.transforms.auditing.suspects import TRAITS, Suspect
from tacenda.transforms.auditing.two_looks import counted_looks, replaced_entities, seen_alone
from tacenda.transforms.detecting.independent_looks import independent_name
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.residual import Residual


def _replaced(start: int, end: int, info_type: str = "PERSON_NAME") -> Finding:
    return Finding(start, end, info_type, Likelihood.LIKELY, "rules")


def _apart(start: int, end: int) -> Finding:
    return Finding(start, end, "PERSON_NAME", Likelihood.VERY_UNLIKELY, independent_name(1))


def _suspect(value: str, kind: str = "part of a name", *, seen: bool = True) -> Suspect:
    traits = tuple(float(seen and trait == "independent") for trait in TRAITS)
    return Suspect(Residual("PERSON_NAME", value), kind, traits)


def test_an_entity_was_seen_if_any_of_its_mentions_was() -> None:
    findings = [[_replaced(0, 4), _replaced(10, 14)], [_replaced(3, 9)]]
    entities = [[1, 2], [1]]
    assert replaced_entities(findings, entities, [[], [_apart(5, 7)]]) == {1: (0, True), 2: (0, False)}


def test_what_is_beside_a_mention_was_not_seen() -> None:
    assert replaced_entities([[_replaced(0, 4)]], [[1]], [[_apart(4, 8)]]) == {1: (0, False)}


def test_other_kinds_do_not_count() -> None:
    findings = [[_replaced(0, 4, "EMAIL_ADDRESS"), _replaced(5, 8, "STREET_ADDRESS")]]
    assert replaced_entities(findings, [[1, 2]], [[_apart(0, 8)]]) == {2: (1, True)}


def test_only_what_the_other_detector_saw_is_seen_alone() -> None:
    assert seen_alone(_suspect("Anna")) == 0
    assert seen_alone(_suspect("Anna", seen=False)) is None
    assert seen_alone(_suspect("Acme", "firm")) == 2
    assert seen_alone(_suspect("12", "other")) is None


def test_counts_are_by_kind_and_an_entity_counts_once() -> None:
    replaced = {1: (0, True), 2: (0, True), 3: (0, False), 4: (2, False)}
    suspected = [
        (_suspect("Anna"), 0.25),
        (_suspect("anna"), 0.5),
        (_suspect("Berg"), 0.125),
        (_suspect("Oslo", "place", seen=False), 0.9),
    ]
    assert counted_looks(replaced, suspected) == (2, 1, 625, 0, 0, 0, 0, 1, 0)
