from collections.abc import Sequence

from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.conversation_risk import score_conversation
from tacenda.transforms.scoring.population import marginals_of
from tacenda.transforms.scoring.remains import NOTHING, Remains
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load()
SHARES = [("AGE", "43", 0.01), ("LOCATION", "Uppsala", 0.02)]


def remains(*residuals: tuple[str, str]) -> Remains:
    return score_conversation([Residual(label, value) for label, value in residuals], TABLE).remains


def test_where_nothing_is_left_there_are_no_digests() -> None:
    assert remains() == NOTHING
    assert remains(("ORGANIZATION_NAME", "Acme")) == NOTHING, "adds no points"


def test_indirect_identifiers_count_together_in_any_order_and_spelling() -> None:
    one = remains(("AGE", "43"), ("LOCATION", "Uppsala"))
    assert one.combination is not None
    assert one.links == ()
    assert one == remains(("LOCATION", "uppsala"), ("AGE", "43"), ("AGE", "43"))
    assert one != remains(("AGE", "44"), ("LOCATION", "Uppsala"))
    assert one.combination != remains(("AGE", "43")).combination


def test_whole_direct_identifiers_and_numbers_of_devices_link_conversations() -> None:
    mail = remains(("EMAIL_ADDRESS", "ann@example.com"))
    assert mail.combination is None
    assert mail.links == remains(("EMAIL_ADDRESS", "Ann@Example.com"), ("AGE", "3")).links
    handle = remains(("USER_NAME", "ann_81"))
    assert len(handle.links) == 1
    assert handle.combination is not None


def test_with_shares_of_a_population_others_with_the_same_are_expected() -> None:
    population = marginals_of(1_000_001, SHARES, "shares")

    def others(*residuals: tuple[str, str]) -> float | None:
        left = [Residual(label, value) for label, value in residuals]
        return score_conversation(left, TABLE, population=population).remains.others

    assert others(("AGE", "43 years old")) == 10_000
    assert others(("AGE", "43"), ("MISSED_LOCATION", "uppsala"), ("PERSON_NAME", "Ann")) == 200
    assert others(("PERSON_NAME", "Ann")) is None
    assert others() is None


def test_what_is_written_is_read_back() -> None:
    left = Remains(b"12345678", (b"abcdefgh",), 3.5)
    assert Remains.from_text(*left.to_text()) == left
    assert left.keyed(b"k").others == 3.5


def test_a_first_name_alone_links_nothing() -> None:
    lone = remains(("PERSON_NAME", "Ann"))
    assert lone.links == ()
    assert lone.combination is not None
    assert len(remains(("PERSON_NAME", "Ann Smith")).links) == 1


def _all(found: Remains) -> Sequence[bytes]:
    return [*found.links, *([found.combination] if found.combination else [])]


def test_what_is_written_depends_on_the_key_and_equal_values_stay_equal() -> None:
    found = remains(("EMAIL_ADDRESS", "ann@example.com"), ("AGE", "43"))
    assert found.keyed(b"k") == found.keyed(b"k")
    assert not {*_all(found.keyed(b"k"))} & {*_all(found.keyed(b"l")), *_all(found)}
    assert NOTHING.keyed(b"k") is NOTHING
    for one in (found, NOTHING):
        assert Remains.from_text(*one.to_text()) == one
