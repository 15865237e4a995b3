import pickle
from pathlib import Path

import pytest

from tacenda.transforms.detecting.patterns.prefilter import filtering
from tacenda.transforms.detecting.patterns.prefilter.filtering import Filter
from tacenda.transforms.storage import machine_cache
from tacenda.transforms.text.utf8 import Utf8Column, class_mask

hyperscan = pytest.importorskip("tacenda.transforms.detecting.patterns.prefilter.hyperscan")

DIGIT = class_mask(["digit"])


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "WORTH_BYTES", 0)


def _cells(texts: list[str], pattern: str, mask: int = 0) -> list[int] | None:
    cells = Filter({pattern: mask, "unrelated": 0}).of(Utf8Column(texts, [0, len(texts)])).cells(pattern)
    return None if cells is None else cells.tolist()


def test_only_cells_that_may_match_are_left() -> None:
    texts = ["call 555-0143", "é" * 9, "555-014", "", "x 555-0143 555-0144"]
    assert _cells(texts, r"\d{3}-\d{4}", DIGIT) == [0, 4]


def test_edges_are_those_of_each_cell() -> None:
    assert _cells(["login x", "a login", "login"], r"^login\b") == [0, 2]
    assert _cells(["login x", "a login", "login"], r"login$") == [1, 2]


def test_matches_do_not_cross_cells() -> None:
    assert _cells(["ab", "cd", "ab cd"], r"ab[^x]+cd") == [2]


def test_letters_that_fold_to_ascii_are_not_missed() -> None:
    assert _cells(["mask", "ma\u017fk", "mas\u212a", "nothing"], "(?i)mask") == [0, 1, 2]


def test_figures_far_apart_are_reported_to_their_cells() -> None:
    far = "x " * 200
    texts = ["7", far + "12-34 " + far, far + "12" + far + "34-56", "x" + "é" * 90 + "98-76", far]
    assert _cells(texts, r"\b\d\d-\d\d", DIGIT) == [1, 2, 3]
    assert _cells(texts, r"\b\d\d-\d\d$") == [2, 3]
    assert _cells(texts, r"^\d") == [0]


def test_patterns_that_match_nearly_everywhere_are_not_filtered() -> None:
    assert _cells(["a"], r"\pL+\pL") is None
    assert _cells(["a"], r"\d{3,}", DIGIT) is None


def test_the_part_before_a_long_repetition_may_select_the_cells() -> None:
    texts = ["Calle de la Luna 4", "Calle", "de la Luna 4"]
    assert _cells(texts, r"Calle (?:\pL+ ){1,7}\d") == [0]


def test_too_many_matches_are_no_filter() -> None:
    assert _cells(["1" * 400_000], r"\d\d\d", DIGIT) is None


def test_little_text_is_not_worth_an_automaton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filtering, "WORTH_BYTES", 1000)
    patterns = Filter({"ab": 0})
    assert patterns.of(Utf8Column(["ab"], [0, 1])).cells("ab") is None
    assert patterns.of(Utf8Column(["x" * 1000], [0, 1])).cells("ab") is not None


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with an empty cache; ``_restart`` simulates a new process."""
    monkeypatch.setenv(machine_cache.VARIABLE, str(tmp_path))
    monkeypatch.setattr(filtering, "WORTH_BYTES", 1000)
    monkeypatch.setattr(filtering, "LITTLE_BYTES", 0)
    _restart()
    return tmp_path


def _restart() -> None:
    filtering._automata.forget()
    filtering._name.forget()


LITTLE = Utf8Column(["ab", "xx", "a"], [0, 3])


def test_a_cached_automaton_is_used_for_little_text(cache: Path) -> None:
    assert Filter({"a[bc]": 0}).of(LITTLE).cells("a[bc]") is None
    Filter({"a[bc]": 0}).of(Utf8Column(["x" * 1000], [0, 1]))
    _restart()
    cells = Filter({"a[bc]": 0}).of(LITTLE).cells("a[bc]")
    assert cells is not None
    assert cells.tolist() == [0]
    assert Filter({"a[bd]": 0}).of(LITTLE).cells("a[bd]") is None


def test_the_cache_is_looked_up_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(filtering, "is_kept", lambda name: asked.append(name) or False)
    patterns = Filter({"a[bc]": 0})
    for _ in range(3):
        patterns.of(LITTLE)
    assert len(asked) == 1


def test_an_automaton_for_another_processor_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Filter({"a[bc]": 0}).of(Utf8Column(["x" * 1000], [0, 1]))
    _restart()
    monkeypatch.setattr(hyperscan, "made_for", lambda: ("another",))
    assert Filter({"a[bc]": 0}).of(LITTLE).cells("a[bc]") is None


def test_a_database_that_the_library_refuses_is_built_again(cache: Path) -> None:
    Filter({"a[bc]": 0}).of(Utf8Column(["x" * 1000], [0, 1]))
    (path,) = cache.rglob("automata-*")
    with path.open("wb") as file:
        machine_cache.save(_Refused(), file)
    _restart()
    cells = Filter({"a[bc]": 0}).of(LITTLE).cells("a[bc]")
    assert cells is not None
    assert cells.tolist() == [0]


class _Refused:
    """An automaton that contains a database of another version."""

    def __reduce__(self) -> tuple[object, ...]:
        automaton = hyperscan.Automaton(["qzx"], 1)
        patterns, databases = automaton.__getstate__()
        spoiled = [(first, data[:4] + b"\xff" * 4 + data[8:]) for first, data in databases]
        return hyperscan.Automaton.__new__, (hyperscan.Automaton,), (patterns, spoiled)


def test_a_stored_automaton_gives_the_same_matches() -> None:
    automaton = hyperscan.Automaton([r"\d{3}-\d{4}", "(?i)login", r"x{3,}y"], 2)
    data = b"call 555-0143\xffLogin xxxxy\xff"
    stored = pickle.loads(pickle.dumps(automaton))
    assert stored.patterns == automaton.patterns
    fired, again = automaton.fires(data), stored.fires(data)
    assert all(a.tolist() == b.tolist() for a, b in zip(fired, again, strict=True))
    assert len(fired[0]) >= 3
