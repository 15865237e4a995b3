"""Risk records as a table: one row a scored conversation."""

import pyarrow as pa

TAG = pa.struct(
    [
        pa.field("tag", pa.string(), nullable=False),
        pa.field("partial", pa.bool_(), nullable=False),
        pa.field("entities", pa.int32(), nullable=False),
        pa.field("score", pa.int32(), nullable=False),
    ]
)
SCHEMA = pa.schema(
    [
        pa.field("conversation_id", pa.string(), nullable=False),
        pa.field("context", pa.string(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("score", pa.int32(), nullable=False),
        pa.field("tags", pa.list_(pa.field("element", TAG, nullable=False)), nullable=False),
        pa.field("direct_identifier", pa.bool_(), nullable=False),
    ]
)
