from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_entities_are_counted_by_info_type() -> None:
    linked = LinkedConversation("1", [], [], [], [], {}, ["PERSON_NAME", "LOCATION", "PERSON_NAME"])
    assert linked.entity_counts() == {"PERSON_NAME": 2, "LOCATION": 1}


def test_remaining_entities_keep_their_type_and_are_renumbered() -> None:
    def found(start: int, info_type: str) -> Finding:
        return Finding(start, start + 2, info_type, Likelihood.LIKELY, "rules")

    ann, bo, oslo = found(0, "PERSON_NAME"), found(3, "PERSON_NAME"), found(0, "LOCATION")
    linked = LinkedConversation(
        "1",
        ["An Bo", "Os", "An"],
        ["Bo", "agent", None],
        [[ann, bo], [oslo], [ann]],
        [[2, 1], [3], [2]],
        {"Bo": 1},
        ["PERSON_NAME", "PERSON_NAME", "LOCATION"],
        [["same", "same"], ["same"], ["part"]],
    )
    left = linked.without({(0, 0), (0, 1)})
    assert left.findings == [[], [oslo], [ann]]
    assert left.entities == [[], [2], [3]]
    assert left.labels == {"Bo": 1}
    assert left.info_types == ["PERSON_NAME", "LOCATION", "PERSON_NAME"]
    assert left.agreements == [[], ["same"], ["part"]]
    assert linked.without({(0, 0), (2, 0)}).info_types == ["PERSON_NAME", "LOCATION"]
    assert linked.without(()) == linked.without(set())
    assert linked.without(()).entities == [[2, 1], [3], [2]]
