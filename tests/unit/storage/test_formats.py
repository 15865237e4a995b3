import pytest

from tacenda.transforms.storage.formats import format_of


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/data/a.parquet", ("parquet", None)),
        ("s3://bucket/x/A.JSONL.GZ", ("jsonl", "gzip")),
        ("a.json.zst", ("jsonl", "zstd")),
        ("a.ndjson", ("jsonl", None)),
        ("a.csv", None),
        ("/data/.jsonl", None),
        ("/data.jsonl/readme", None),
    ],
)
def test_the_suffix_tells_the_format(url, expected):
    assert format_of(url) == expected
