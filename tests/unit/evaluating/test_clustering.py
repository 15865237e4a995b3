"""Worked examples from the papers that define the measures, and each definition literally."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.evaluating.counting import LINKING as COLUMNS
from tacenda.transforms.evaluating.counting import UNIT, count_clusters


def counted(*conversations):
    """Sums over conversations; each is given by key and response, one character per mention."""
    rows = [
        (number, ord(key), ord(response))
        for number, (keys, responses) in enumerate(conversations)
        for key, response in zip(keys, responses, strict=True)
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    sums = count_clusters(*columns, len(conversations)).sum(axis=0)
    return dict(zip(COLUMNS, sums.tolist(), strict=True))


def muc(sums):
    return sums["common_links"] / sums["key_links"], sums["common_links"] / sums["response_links"]


def b_cubed(sums):
    return tuple(sums[f"b_cubed_{side}"] / UNIT / sums["linked_mentions"] for side in ("recall", "precision"))


def ceaf_e(sums):
    total = sums["cluster_similarity"] / UNIT
    return total / sums["key_clusters"], total / sums["response_clusters"]


def f1(recall, precision):
    return 2 * recall * precision / (recall + precision)


@pytest.mark.parametrize(
    # Vilain et al. 1995: chains of the mentions A to D; a mention that one side lacks stands there by itself.
    ("key", "response", "recall", "precision"),
    [
        ("aaaa", "aabb", 2 / 3, 1),
        ("aabb", "aaaa", 1, 2 / 3),
        ("aaaa", "aaaa", 1, 1),
        ("aaa", "aba", 1 / 2, 1),
        ("xaaaaxaaza", "111222333j", 3 / 6, 3 / 6),
    ],
)
def test_muc_example_of_the_paper(key, response, recall, precision):
    singles = dict(zip("xz", "xz", strict=True))
    key = "".join(chr(ord("A") + i) if letter in singles else letter for i, letter in enumerate(key))
    assert muc(counted((key, response))) == (pytest.approx(recall), pytest.approx(precision))


TRUTH = "1" * 5 + "2" * 2 + "3" * 5


@pytest.mark.parametrize(
    # Bagga and Baldwin 1998, figures 1 to 3: two errors that MUC cannot tell apart.
    ("response", "precision"),
    [("1" * 5 + "2" * 7, 16 / 21), ("1" * 5 + "2" * 2 + "1" * 5, 7 / 12)],
)
def test_b_cubed_example_of_the_paper(response, precision):
    sums = counted((TRUTH, response))
    assert muc(sums) == (1, pytest.approx(0.9))
    assert b_cubed(sums) == (1, pytest.approx(precision, abs=1e-6))


@pytest.mark.parametrize(
    # Luo 2005, table 1: F of MUC, B³ and CEAF by φ4 for four responses.
    ("response", "of_muc", "of_b_cubed", "of_ceaf"),
    [
        ("1" * 5 + "2" * 7, 0.947, 0.865, 0.733),
        ("1" * 5 + "2" * 2 + "1" * 5, 0.947, 0.737, 0.667),
        ("1" * 12, 0.900, 0.545, 0.294),
        ("123456789abc", None, 0.400, 0.178),
    ],
)
def test_ceaf_example_of_the_paper(response, of_muc, of_b_cubed, of_ceaf):
    sums = counted((TRUTH, response))
    if of_muc is None:
        assert (sums["response_links"], sums["common_links"]) == (0, 0)
    else:
        assert f1(*muc(sums)) == pytest.approx(of_muc, abs=5e-4)
    assert f1(*b_cubed(sums)) == pytest.approx(of_b_cubed, abs=5e-4)
    assert f1(*ceaf_e(sums)) == pytest.approx(of_ceaf, abs=5e-4)


clusterings = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("1234")), max_size=12)


@given(clusterings)
def test_counts_are_those_of_the_definitions(mentions):
    keys, responses = ([{i for i, m in enumerate(mentions) if m[k] == x} for x in "abcd1234"] for k in (0, 1))
    keys, responses = [list(filter(None, side)) for side in (keys, responses)]
    sums = counted(("".join(k for k, _ in mentions), "".join(r for _, r in mentions)))

    def links(cluster, others):
        return len(cluster) - sum(bool(cluster & other) for other in others)

    assert sums["common_links"] == sum(links(key, responses) for key in keys)
    assert sums["common_links"] == sum(links(response, keys) for response in responses)
    recall = sum(len(k & r) ** 2 / len(k) for k in keys for r in responses)
    precision = sum(len(k & r) ** 2 / len(r) for k in keys for r in responses)
    assert sums["b_cubed_recall"] / UNIT == pytest.approx(recall, abs=1e-6)
    assert sums["b_cubed_precision"] / UNIT == pytest.approx(precision, abs=1e-6)
    assert sums["cluster_similarity"] / UNIT == pytest.approx(best_alignment(keys, responses), abs=1e-6)


def best_alignment(keys, responses):
    if not keys or not responses:
        return 0.0
    first, rest = keys[0], keys[1:]
    best = best_alignment(rest, responses)
    for i, response in enumerate(responses):
        phi = 2 * len(first & response) / (len(first) + len(response))
        best = max(best, phi + best_alignment(rest, responses[:i] + responses[i + 1 :]))
    return best


@given(st.lists(clusterings, max_size=4))
def test_counts_of_conversations_are_added(corpus):
    talks = [("".join(k for k, _ in talk), "".join(r for _, r in talk)) for talk in corpus]
    apart = [counted(talk) for talk in talks]
    assert counted(*talks) == {name: sum(sums[name] for sums in apart) for name in COLUMNS}
