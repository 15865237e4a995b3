from transforms.releasing.merging import receipt_from_json, receipt_to_json, total
from transforms.schema.receipt import Receipt

A = Receipt(
    "0", rows_in=5, rows_out=3, rows_quarantined=2, findings={"B": 1, "A": 2}, quarantined={"read/X": 2}
)
B = Receipt("1", rows_in=1, rows_out=1, findings={"A": 3}, id_hashes=b"12345678", files={"x": {"rows": 1}})


def test_totals_do_not_depend_on_order() -> None:
    assert total([A, B]) == total([B, A])
    totals = total([A, B])
    assert (totals.rows_in, totals.rows_out, totals.rows_quarantined) == (6, 4, 2)
    assert list(totals.findings.items()) == [("A", 5), ("B", 1)]
    assert totals.balanced


def test_a_lost_row_is_seen() -> None:
    assert not total([A, Receipt("1", rows_in=2, rows_out=1)]).balanced


def test_receipts_survive_json() -> None:
    assert receipt_from_json(receipt_to_json(B)) == B
