from tacenda.transforms.releasing.duplicates import by_bucket, id_hash, id_hashes, repeated_in_later_units
from tacenda.transforms.schema.work_unit import ordinal_name


def _receipt(unit: str, *ids: str) -> tuple[str, bytes]:
    return unit, id_hashes(ids)


def test_the_first_unit_keeps_an_id_whatever_the_order_of_receipts() -> None:
    receipts = [_receipt("00002", "c", "a"), _receipt("00000", "a", "b"), _receipt("00001", "b", "d")]
    assert repeated_in_later_units(receipts) == {
        "00001": frozenset({id_hash("b")}),
        "00002": frozenset({id_hash("a")}),
    }


def test_without_repeated_ids_nothing_is_changed() -> None:
    assert repeated_in_later_units([_receipt("0", "a"), _receipt("1", "b"), _receipt("2")]) == {}
    assert repeated_in_later_units([]) == {}


def test_buckets_lose_nothing_and_equal_ids_meet() -> None:
    hashes = id_hashes(map(str, range(1000)))
    dealt = dict(by_bucket(hashes, 7))
    assert len(dealt) == 7
    assert sorted(b for part in dealt.values() for b in _eights(part)) == sorted(_eights(hashes))
    ((bucket, five),) = by_bucket(id_hashes(["5"]), 7)
    assert five in _eights(dealt[bucket])
    assert list(by_bucket(b"", 7)) == []


def _eights(data: bytes) -> list[bytes]:
    return [data[i : i + 8] for i in range(0, len(data), 8)]


def test_the_first_unit_keeps_an_id_however_many_digits_its_number_has() -> None:
    for first in (9, 99_999, 999_999):
        receipts = [_receipt(ordinal_name(first + 1), "a"), _receipt(ordinal_name(first), "a")]
        assert list(repeated_in_later_units(receipts)) == [ordinal_name(first + 1)]
