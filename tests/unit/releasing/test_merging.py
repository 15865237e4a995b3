from tacenda.transforms.releasing.merging import combine, receipt_from_json, receipt_to_json
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.scoring.statistics import RiskSketch


def _risk(*scores: int) -> dict[str, object]:
    sketch = RiskSketch()
    for score in scores:
        sketch.add("model", "sales", score)
    return sketch.to_json()


A = Receipt(
    "0",
    rows_in=5,
    rows_out=3,
    rows_quarantined=2,
    findings={"B": 1, "A": 2},
    quarantined={"read/X": 2},
    risk=_risk(1, 2),
)
B = Receipt("1", rows_in=1, rows_out=1, findings={"A": 3}, id_hashes=b"12345678", risk=_risk(2))
C = Receipt("2", rows_in=1, rows_out=1, files={"x": {"rows": 1}})


def test_sums_do_not_depend_on_order_or_grouping() -> None:
    whole = combine("", [A, B, C])
    assert whole == combine("", [C, B, A])
    assert whole == combine("", [combine("x", [A]), combine("y", [C, B])])
    assert (whole.units, whole.rows_in, whole.rows_out, whole.rows_quarantined) == (3, 7, 5, 2)
    assert list(whole.findings.items()) == [("A", 5), ("B", 1)]
    assert whole.risk == _risk(1, 2, 2)
    assert whole.balanced


def test_a_lost_row_is_detected() -> None:
    assert not combine("", [A, Receipt("1", rows_in=2, rows_out=1)]).balanced


def test_receipts_survive_json() -> None:
    for receipt in (A, B, C):
        assert receipt_from_json(receipt_to_json(receipt)) == receipt
