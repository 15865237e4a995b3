import pytest

from tacenda.transforms.replacing.hiding.leaks import (
    leak_rate,
    leaks_by_mode,
    leaks_by_token,
    mode_count,
    suspects,
)

TRUE = {"Lee"}


def test_a_true_name_leaks_beyond_t() -> None:
    assert leaks_by_token(["lee"] * 4 + ["moss"] * 4, TRUE, 4) == frozenset()
    assert leaks_by_token(["lee"] * 4 + ["LEE"] + ["moss"] * 4, TRUE, 4) == {"lee"}
    assert leaks_by_token(["lee", "lee", "moss"], TRUE, 1) == {"lee"}
    assert leaks_by_token(["moss"] * 9, TRUE, 4) == frozenset()


@pytest.mark.parametrize(
    ("names", "leak", "no_leak"),
    [
        (["lee", "lee", "moss"], True, True),
        (["lee", "lee", "moss", "moss"], True, False),
        (["lee", "moss", "moss"], False, False),
        (["lee", "moss", "berg"], False, False),
        ([], False, False),
    ],
)
def test_a_document_leaks_where_the_mode_is_a_true_name(names: list[str], leak: bool, no_leak: bool) -> None:
    assert leaks_by_mode(names, TRUE, "leak") is leak
    assert leaks_by_mode(names, TRUE, "no_leak") is no_leak


def test_documents_without_names_do_not_count() -> None:
    assert leak_rate([True, False, None, False, False]) == (1, 4)
    assert leak_rate([]).rate == 0


def test_without_gold_what_was_not_inserted_and_repeats_is_suspect() -> None:
    inserted = {"moss", "berg"}
    assert suspects(["moss"] * 4 + ["lee"] * 5, inserted, 4) == {"lee"}
    assert suspects(["moss", "berg", "Lee", "lee"], inserted, 4) == {"lee"}
    assert suspects(["moss"] * 4 + ["lee"] * 3, inserted, 4) == frozenset()
    assert suspects(["moss"] * 4, inserted, 4) == frozenset()


def test_the_mode() -> None:
    assert mode_count(["Lee", "lee", "moss"]) == 2
    assert mode_count([]) == 0


def test_the_arithmetic_of_table_3() -> None:
    documents = (80, 79, 80, 78, 80)
    for leaking, mean, single in (
        ((6, 14, 9, 11, 12), 13.1, (7.5, 17.7, 11.3, 14.1, 15.0)),
        ((1, 3, 3, 4, 4), 3.8, (1.3, 3.8, 3.8, 5.1, 5.0)),
    ):
        rates = [
            100 * leak_rate([True] * k + [False] * (n - k)).rate
            for k, n in zip(leaking, documents, strict=True)
        ]
        assert rates == pytest.approx(single, abs=0.051)
        assert sum(rates) / len(rates) == pytest.approx(mean, abs=0.05)
