import pytest

from tacenda.transforms.storage.locating import format_of


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/data/a.parquet", ("parquet", None, "lines")),
        ("s3://bucket/x/A.JSONL.GZ", ("jsonl", "gzip", "lines")),
        ("a.json.zst", ("jsonl", "zstd", "lines")),
        ("a.ndjson", ("jsonl", None, "lines")),
        ("a.csv.gz", ("jsonl", "gzip", "table")),
        ("a.txt", ("jsonl", None, "text")),
        ("a.xlsx", None),
        ("/data/.jsonl", None),
        ("/data.jsonl/readme", None),
    ],
)
def test_the_suffix_tells_the_format(url, expected):
    assert format_of(url) == expected
