from statistics import mean

import pytest
from scipy.stats import binomtest, wilcoxon

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.lab.hiding_attacks import (
    PROFILE,
    TABLE_3,
    MissingDetector,
    Released,
    Simulated,
    parrot_attack,
    simulate,
)
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tests.marked_conversations import linked

DOCUMENTS = 4000


def _leaks(documents: list[Simulated]) -> float:
    return 100 * mean(document.leaks for document in documents)


def test_the_paper_again_random_tokens_13_and_the_chain_4_percent() -> None:
    random = simulate(DOCUMENTS, "random", TABLE_3, 1)
    markov = simulate(DOCUMENTS, "markov", TABLE_3, 1)
    assert _leaks(random) == pytest.approx(13.1, abs=1.5)
    assert _leaks(markov) == pytest.approx(3.8, abs=1)
    # Two settings of the detector give all four figures of the table: the average modes too (1.5 and 4.0).
    assert mean(document.mode_after for document in random) == pytest.approx(1.5, abs=0.15)
    assert mean(document.mode_after for document in markov) == pytest.approx(4.0, abs=0.25)


def test_both_tests_tell_the_strategies_apart() -> None:
    random = simulate(400, "random", TABLE_3, 2)
    markov = simulate(400, "markov", TABLE_3, 2)
    pairs = [(r.leaks, m.leaks) for r, m in zip(random, markov, strict=True)]
    only_random, only_markov = pairs.count((True, False)), pairs.count((False, True))
    # McNemar's exact test, and Wilcoxon's on the modes.
    assert binomtest(only_random, only_random + only_markov, alternative="greater").pvalue < 0.001
    before = [document.mode_before for document in random[:80]]
    far = wilcoxon(before, [document.mode_after for document in random[:80]]).pvalue
    near = wilcoxon(before, [document.mode_after for document in markov[:80]]).pvalue
    assert far < 1e-9 < near


def test_independent_misses_leak_little_even_at_a_lower_recall() -> None:
    # The paper's recall, with misses that know nothing of each other: far too few names come through often.
    independent = MissingDetector(1, 0.12)
    assert _leaks(simulate(DOCUMENTS, "markov", independent, 1)) < 1
    assert independent.recall < TABLE_3.recall


def test_a_perfect_detector_leaks_nothing() -> None:
    perfect = MissingDetector(0, 1)
    assert _leaks(simulate(200, "markov", perfect, 1)) == 0
    assert perfect.recall == 1


def test_a_name_that_is_always_missed_leaks_under_every_strategy() -> None:
    blind = MissingDetector(1, 1)
    for document in simulate(50, "markov", blind, 1):
        assert document.leaks
        assert document.mode_after == max(PROFILE)


LISTS = [f"Name{first}{last}" for first in "abcdefghijklmnopqr" for last in "abcdefghijklmnopqr"]


def _corpus(*missed: str, documents: int = 200) -> list[Released]:
    draw = Draw("corpus")
    return [Released([*(draw.pick(LISTS) for _ in range(3)), *missed], missed) for _ in range(documents)]


def test_a_name_of_no_list_is_pointed_out() -> None:
    documents = [*_corpus(), Released(["Nameaa", "Xqwerty"], ["Xqwerty"])]
    attack = parrot_attack(documents, LISTS)
    assert (attack.pointed_out, attack.right, attack.precision, attack.recall) == (1, 1, 1.0, 1.0)
    assert attack.by_chance < 0.01


def test_a_missed_name_like_a_surrogate_stays_hidden() -> None:
    attack = parrot_attack([*_corpus(), Released(["Nameaa", "Nameab"], ["NAMEAB"])], LISTS)
    assert (attack.pointed_out, attack.missed, attack.recall) == (0, 1, 0.0)


def test_a_name_in_every_document_is_pointed_out_without_the_lists() -> None:
    attack = parrot_attack(_corpus("Nameag"), ())
    assert attack.recall == 1.0
    assert attack.precision == 1.0


def test_surrogates_alone_give_nothing_away() -> None:
    assert parrot_attack(_corpus(), LISTS).pointed_out == 0
    assert parrot_attack([], LISTS) == (0, 0, 0, 0)


def test_people_of_many_conversations_have_other_surrogates_in_each() -> None:
    # A secret for each corpus and a draw for each conversation: no surrogate betrays who is the same.
    drawn_from = [name for pool in people().pools.values() for name in pool]
    documents = []
    for number in range(150):
        conversation = linked(
            ["<PERSON_NAME:Maria Olsen> and <PERSON_NAME:Peter Brown>"], conversation_id=str(number)
        )
        values = SurrogateReplacer(b"secret").values(conversation).findings[0]
        documents.append(Released([word for value in values for word in value.split()], ()))
    assert parrot_attack(documents, drawn_from).pointed_out == 0
