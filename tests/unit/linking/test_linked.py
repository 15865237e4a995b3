from tacenda.transforms.linking.linked import LinkedConversation


def test_entities_are_counted_by_info_type() -> None:
    linked = LinkedConversation("1", [], [], [], [], {}, ["PERSON_NAME", "LOCATION", "PERSON_NAME"])
    assert linked.entity_counts() == {"PERSON_NAME": 2, "LOCATION": 1}
