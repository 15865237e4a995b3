import pyarrow as pa
import pytest

from tacenda.transforms.releasing.croissant import features_of

SCHEMA = pa.schema(
    [
        ("a", pa.string()),
        ("b", pa.large_string()),
        ("n", pa.int64()),
        ("x", pa.float64()),
        ("y", pa.bool_()),
        ("t", pa.timestamp("us", "UTC")),
        ("turns", pa.list_(pa.struct([("text", pa.string()), ("tags", pa.list_(pa.string()))]))),
        ("who", pa.struct([("name", pa.string())])),
        ("deep", pa.list_(pa.list_(pa.string()))),
    ]
)


def test_columns_lists_and_structs() -> None:
    assert features_of(SCHEMA)[6:] == [
        {
            "name": "turns",
            "list": [{"name": "text", "dtype": "string"}, {"name": "tags", "list": "string"}],
        },
        {"name": "who", "struct": [{"name": "name", "dtype": "string"}]},
        {"name": "deep", "list": {"list": "string"}},
    ]


@pytest.mark.slow
def test_they_are_what_the_hub_makes_of_the_schema() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    assert features_of(SCHEMA) == datasets.Features.from_arrow_schema(SCHEMA)._to_yaml_list()
