from tacenda.transforms.linking.entities import ConversationEntities


def test_numbers_count_by_info_type_and_entities_over_all() -> None:
    entities = ConversationEntities()
    assert entities.mention("PERSON_NAME", "Pam") == (1, 1)
    assert entities.mention("ORGANIZATION_NAME", "Dunder Mifflin") == (2, 1)
    assert entities.mention("PERSON_NAME", "Jim") == (3, 2)
    assert entities.mention("PERSON_NAME", "PAM") == (1, 1)
    assert entities.counts() == {"PERSON_NAME": 2, "ORGANIZATION_NAME": 1}


def test_one_value_under_two_info_types_is_two_entities() -> None:
    entities = ConversationEntities()
    assert entities.mention("PERSON_NAME", "Jordan") == (1, 1)
    assert entities.mention("LOCATION", "Jordan") == (2, 1)


def test_taken_numbers_are_skipped() -> None:
    entities = ConversationEntities(taken=[("PERSON_NAME", 1), ("PERSON_NAME", 3)])
    assert [entities.mention("PERSON_NAME", name)[1] for name in ("a", "b", "a")] == [2, 4, 2]
