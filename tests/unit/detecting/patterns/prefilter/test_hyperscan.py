"""Tests of automata: none loses what RE2 finds."""

import pytest
import re2

from tacenda.transforms.detecting.patterns.prefilter.superset import byte_superset

hyperscan = pytest.importorskip("tacenda.transforms.detecting.patterns.prefilter.hyperscan")

_ONES = "kaksi|kolme|neljä|viisi|kuusi|seitsemän|kahdeksan|yhdeksän"
LOST = (
    rf"(?i)(?:^|[^\pL\pN])((?:(?:{_ONES})(?:kymmentä|toista)?(?:yksi|{_ONES})?|yksitoista|kymmenen)"
    r"(?:vuotia(?:s|an|alla|alle|ana|ita|at)|[ ]vuotta[ ]vanh(?:a|an|oja)))(?:$|[^\pL\pN])"
)
"""Hyperscan 5.4 accepts it, and does not find "kuusivuotias" in texts of more than some 34 bytes."""

TEXT = b"Password=q8Zt4Encrypt=true" + b'" kuusivuotias tytt\xff'


def test_a_pattern_that_the_library_loses_is_left_to_re2() -> None:
    automaton = hyperscan.Automaton([LOST, r"\bpurple\b"], 32)
    fired = automaton.fires(TEXT)
    assert re2.search(LOST, TEXT.decode("latin-1"))
    # A later library may find it; what must not be is a pattern that is kept and lost.
    assert LOST not in automaton.patterns or automaton.patterns.index(LOST) in fired[0].tolist()
    assert r"\bpurple\b" in automaton.patterns
    assert automaton.fires(b"...\xffa purple cow\xff")[0].tolist() == [
        automaton.patterns.index(r"\bpurple\b")
    ]


def test_a_pattern_that_no_database_has_is_reported_as_lost() -> None:
    database = hyperscan._database([b"abc", b"never"])
    asked = [b"abc", byte_superset(r"x\d+y").encode()]
    assert hyperscan.lost_patterns(database, asked) == {1}
    assert hyperscan.lost_patterns(database, [b"abc", b"never"]) == set()


def test_patterns_that_the_library_refuses_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    build = hyperscan._database

    def refusing(expressions: list[bytes]) -> object:
        tried.append(len(expressions))
        return None if any(b"enormous" in one for one in expressions) else build(expressions)

    monkeypatch.setattr(hyperscan, "_database", refusing)
    words = [r"\bpurple\b", r"\benormous(?:ly)?\b", r"\bgreen\b", r"\benormously big\b", r"\bblue\b"]
    assert hyperscan.Automaton(words, 32).patterns == (r"\bpurple\b", r"\bgreen\b", r"\bblue\b")
    # The two largest, each alone and then the rest without it.
    assert tried == [5, 1, 4, 1, 3]
    assert hyperscan.Automaton(words[1:2], 32).patterns == ()
