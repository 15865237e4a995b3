"""What stands beside a text and names nobody does not change who is found in it (``tests/additions.yaml``)."""

import pytest

from tests.additions import (
    Change,
    Search,
    Trial,
    additions,
    conversations,
    in_one_turn,
    records,
    with_addition,
    words,
)

pytestmark = pytest.mark.slow
ALLOWED = 0.005
GIVEN = conversations(28)


@pytest.fixture(scope="module")
def search():
    return Search()


@pytest.fixture(scope="module")
def trial(search):
    return Trial(search, GIVEN)


@pytest.fixture(scope="module")
def changes(trial):
    return {name: trial.change(with_addition(GIVEN, ways)) for name, ways in additions().items()}


def test_there_are_enough_additions_and_origins():
    assert len(additions()) >= 40
    assert len(words()["origins"]) >= 11


def test_no_addition_uncovers_names(changes):
    assert not {name: share for name, change in changes.items() if (share := change.share()) > 2 * ALLOWED}


def test_no_origin_is_uncovered_more_than_others(changes):
    total = Change()
    for change in changes.values():
        total.add(change)
    assert min(total.found[origin] / total.names[origin] for origin in total.names) > 0.8
    assert not {origin: share for origin in total.names if (share := total.share(origin)) > ALLOWED}


def test_turns_cut_otherwise_have_the_same_names(trial):
    assert trial.change(in_one_turn(GIVEN)).share() <= 2 * ALLOWED


def test_gold_changes_no_finding(search):
    """What is evaluated is what runs, whether a turn is text or JSON."""
    framed = with_addition(GIVEN, additions()["a value"])
    made = [one for several in zip(GIVEN, framed, in_one_turn(GIVEN), strict=True) for one in several]
    assert search.find(records(made, gold=True)) == search.find(records(made))
