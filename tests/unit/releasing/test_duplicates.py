from transforms.releasing.duplicates import id_hash, id_hashes, repeated_in_later_units
from transforms.schema.receipt import Receipt


def _receipt(unit: str, *ids: str) -> Receipt:
    return Receipt(unit, id_hashes=id_hashes(ids))


def test_the_first_unit_keeps_an_id_whatever_the_order_of_receipts() -> None:
    receipts = [_receipt("00002", "c", "a"), _receipt("00000", "a", "b"), _receipt("00001", "b", "d")]
    assert repeated_in_later_units(receipts) == {
        "00001": frozenset({id_hash("b")}),
        "00002": frozenset({id_hash("a")}),
    }


def test_no_repetition_no_repair() -> None:
    assert repeated_in_later_units([_receipt("0", "a"), _receipt("1", "b"), _receipt("2")]) == {}
    assert repeated_in_later_units([]) == {}
