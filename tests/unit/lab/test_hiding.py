import re
from collections import Counter
from statistics import mean

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.lab.hiding import (
    HidingReplacer,
    LeakCheck,
    family_names,
    leaks_by_mode,
    leaks_by_token,
    markov_per_value,
    markov_sequence,
    suspects,
)
from tacenda.transforms.replacing.settings import HidingSettings
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED
from tests.cases import tabled
from tests.marked_conversations import SECRET, linked

POOL = tuple(f"name {n}" for n in range(600))


def _mode(names):
    return max(Counter(names).values())


@pytest.mark.parametrize("count", [0, 1, 2, 5, 24, 100, 500])
def test_no_surrogate_is_used_more_than_t_times(count):
    for t in (1, 2, 4):
        sequence = markov_sequence(count, POOL, 0.9, t, Draw(count, t))
        assert len(sequence) == count
        assert max(Counter(sequence).values(), default=0) <= t


@pytest.mark.parametrize(("count", "mode"), [(4, 2.37), (8, 3.10), (24, 3.82)])
def test_the_mode_is_that_of_the_run_length_law(count, mode):
    modes = [_mode(markov_sequence(count, POOL, 0.5, 4, Draw(n))) for n in range(5000)]
    assert mean(modes) == pytest.approx(mode, abs=0.1)


def test_places_are_shuffled():
    # One name repeated eight times never gets one surrogate, and runs do not stand together.
    sequences = [markov_sequence(8, POOL, 0.5, 4, Draw(n)) for n in range(300)]
    assert all(len(set(sequence)) > 1 for sequence in sequences)
    apart = [s for s in sequences for name, k in Counter(s).items() if k > 1 and s[s.index(name) + 1] != name]
    assert len(apart) > 100


def test_the_variant_by_value_keeps_to_each_original():
    originals = ["Ann", "Bob", "ann", "ANN ", "Bob"]
    a, b, c, d, e = markov_per_value(originals, POOL, 1, Draw(1))
    assert a == c == d != b == e
    assert len(set(markov_per_value(originals, POOL, 0, Draw(1)))) == len(originals)


@tabled("names", "by_token", "by_mode", "suspected")
def test_a_true_name_leaks_beyond_t_or_as_the_mode_and_without_gold_it_is_suspect(
    names, by_token, by_mode, suspected
):
    counted = Counter(names)
    assert leaks_by_token(counted, {"lee"}, 4) is by_token
    assert leaks_by_mode(counted, {"lee"}) is by_mode
    assert suspects(counted, {"moss", "berg"}, 4) == set(suspected)


TEXT = " ".join(["<PERSON_NAME:Ann Lee> called."] * 12)


def _values(*marked, conversation="1", **settings):
    replacer = HidingReplacer(SECRET, HidingSettings(**settings))  # type: ignore[arg-type]
    return replacer.values(linked(marked, conversation_id=conversation))


def _tokens(values):
    return Counter(word for cell in values.findings for value in cell for word in value.split(" "))


@pytest.mark.parametrize("variant", ["sequence", "per_value"])
def test_no_name_occurs_more_than_t_times(variant):
    counted = _tokens(_values(TEXT, variant=variant, p=0.9, t=4))
    assert sum(counted.values()) == 24
    assert max(counted.values()) == 4
    assert {"Ann", "Lee"}.isdisjoint(counted)


def test_the_form_of_a_mention_stays():
    made = _values(
        "<PERSON_NAME:Ms. LEE's> and <PERSON_NAME:lee, a.> and <PERSON_NAME:Jan van der Meer>"
    ).findings[0]
    assert re.fullmatch(r"Ms\. [A-Z]{4,}'s", made[0])
    assert re.fullmatch(r"[a-z]{4,}, [a-z]\.", made[1])
    assert re.fullmatch(r"[A-Z]\w+ van der [A-Z]\w+", made[2])


def test_speakers_are_hidden_too():
    conversation = linked(["<PERSON_NAME:Ann> here"], ["Ann"], {"Ann": "PERSON_NAME"})
    made = HidingReplacer(SECRET, HidingSettings()).values(conversation)
    assert made.labels["Ann"] in family_names()


def test_an_exhausted_list_gives_tokens():
    everybody = " ".join(family_names())
    assert _values(f"<PERSON_NAME:Ann> {everybody}").findings == [["[PERSON_NAME_1]"]]


def _check(marked, values, after):
    return LeakCheck(t=4)(linked(marked), values, after)


@tabled("mention", "after", "shown")
def test_a_name_that_was_found_elsewhere_is_shown(mention, after, shown):
    value = "moss" if mention.islower() else "Moss"
    assert _check([f"<PERSON_NAME:{mention}>"], [[value]], [after])[SHOWN] == shown


@tabled("marked", "values", "after", "suspected")
def test_what_looks_like_a_name_and_repeats_is_suspected(marked, values, after, suspected):
    assert _check([marked], [values], [after]) == {HIDDEN: 1, SHOWN: False, SUSPECTED: suspected}


def test_without_names_of_people_there_is_nothing_to_look_for():
    assert _check(["<EMAIL_ADDRESS:a@example.com>"], [["b@example.com"]], ["Garcia, Garcia"]) == {}
    assert _check(["nobody"], [[]], ["nobody"]) == {}
