import pytest

from tacenda.transforms.linking.psilence.reconciling import Decision, reconcile


@pytest.mark.parametrize(
    ("mentions", "decision"),
    [
        # 0: one type is kept; a person without a role is a witness.
        ({"PERSON": 2}, Decision("WITNESS", 0, True)),
        ({"LAWYER": 1}, Decision("LAWYER", 0, False)),
        ({"PARTY": 3}, Decision("PARTY", 0, False)),
        # 1: a single mention of a party, before all that follows.
        ({"PERSON": 99, "PARTY": 1}, Decision("PARTY", 1, False)),
        ({"LOCATION": 9, "PARTY": 1}, Decision("PARTY", 1, False)),
        # 2: more than 30 % are no people, and not exactly 30 %.
        ({"PERSON": 7, "LOCATION": 3}, Decision("WITNESS", 4, True)),
        ({"PERSON": 69, "LOCATION": 31}, Decision("LOCATION", 2, False)),
        ({"PERSON": 69, "LOCATION": 15, "LAW_FIRM": 16}, Decision("LAW_FIRM", 2, False)),
        ({"LAWYER": 6, "ORGANIZATION": 4}, Decision("ORGANIZATION", 2, False)),
        # 3: the most frequent type is a public role; of two equally frequent none is.
        ({"PERSON": 2, "JUDGE": 3}, Decision("JUDGE", 3, False)),
        ({"PERSON": 2, "JUDGE": 2}, Decision("WITNESS", 4, True)),
        ({"EXPERT": 2, "JUDGE": 2, "PERSON": 1}, Decision("WITNESS", 4, True)),
        ({"LAWYER": 7, "ORGANIZATION": 3}, Decision("LAWYER", 3, False)),
        # 4: else a witness.
        ({"PERSON": 3, "JUDGE": 2}, Decision("WITNESS", 4, True)),
    ],
)
def test_the_rules_in_their_order(mentions: dict[str, int], decision: Decision) -> None:
    assert reconcile(mentions) == decision


@pytest.mark.parametrize(
    ("mentions", "is_sure", "decision"),
    [
        ({"PERSON": 3, "PARTY": 1}, True, Decision("WITNESS", 4, True)),
        ({"PERSON": 1, "PARTY": 1}, True, Decision("WITNESS", 4, True)),
        ({"PERSON": 1, "PARTY": 2}, True, Decision("PARTY", 1, False)),
        ({"PERSON": 1, "PARTY": 2}, False, Decision("WITNESS", 4, True)),
        ({"PERSON": 1, "LOCATION": 9}, True, Decision("WITNESS", 4, True)),
        ({"PERSON": 2, "JUDGE": 3}, True, Decision("JUDGE", 3, False)),
        ({"PERSON": 2, "JUDGE": 3}, False, Decision("WITNESS", 4, True)),
        ({"PERSON": 2, "JUDGE": 3, "EXPERT": 1}, True, Decision("WITNESS", 4, True)),
        ({"LAWYER": 1}, False, Decision("WITNESS", 0, True)),
        ({"PARTY": 1}, True, Decision("PARTY", 0, False)),
    ],
)
def test_conservative_reconciling_ignores_minority_roles(
    mentions: dict[str, int], is_sure: bool, decision: Decision
) -> None:
    assert reconcile(mentions, conservative=True, is_sure=is_sure) == decision
