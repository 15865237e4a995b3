import pytest

from tacenda.transforms.linking.speakers import is_role
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.writing.converting import ROLES, _known, folded_roles, role_of


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Agent", "assistant"),
        ("agent_2", "assistant"),
        ("CUSTOMER:", "user"),
        ("Caller B", "user"),
    ],
)
def test_labels_that_are_known(label: str, role: str) -> None:
    assert role_of(label, {}) == role


@pytest.mark.parametrize("label", [None, "", "Pam", "Speaker 1", "tool"])
def test_other_labels_have_no_role_unless_given(label: str | None) -> None:
    with pytest.raises(RecordError, match="NoRole"):
        role_of(label, {})
    assert role_of(label, {"*": "user"}) == "user"


def test_the_roles_of_a_run_come_first() -> None:
    own = folded_roles({"Speaker_1": "assistant", "Agent": "user", "Anna": "system"})
    assert [role_of(label, own) for label in ("Speaker 1", "agent", "anna")] == [
        "assistant",
        "user",
        "system",
    ]


def test_the_list_has_roles_only_and_no_label_that_replacement_takes_for_a_name() -> None:
    assert set(_known().values()) == set(ROLES)
    assert [label for label in _known() if not is_role(label)] == []
