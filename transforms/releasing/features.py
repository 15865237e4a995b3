"""Features of a corpus as the YAML of a dataset card has them, from the Arrow schema of its rows.

The form is that of ``dataset_info.features`` in cards of the Hugging Face Hub (``datasets`` 4 and later).
"""

from typing import Any

import pyarrow as pa

_NAMES = {"float": "float32", "double": "float64", "halffloat": "float16"}
"""Types whose name there is not Arrow's."""


def features_of(schema: pa.Schema) -> list[dict[str, Any]]:
    """One entry a column, nested as the types are.

    >>> features_of(pa.schema([("text", pa.string())]))
    [{'name': 'text', 'dtype': 'string'}]
    """
    return [{"name": field.name, **_feature(field.type)} for field in schema]


def _feature(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_struct(kind):
        return {"struct": [{"name": field.name, **_feature(field.type)} for field in kind]}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = _feature(kind.value_type)
        return {"list": inner.get("struct") or inner.get("dtype") or inner}
    return {"dtype": _NAMES.get(str(kind), str(kind))}
