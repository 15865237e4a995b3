"""Anonymise an Arrow table, such as one that was read from Parquet, and keep what was rejected in sight.

python docs/examples/parquet_table.py
"""

import pyarrow as pa

from tacenda import Anonymizer, Config

calls = pa.table(
    {
        "conversation_id": ["a", "b", "c"],
        "turns": [
            [{"speaker": "agent", "text": "Who is calling?"}, {"speaker": "caller", "text": "070-123 45 67"}],
            [{"speaker": "caller", "text": "Write to sam@example.com"}],
            None,
        ],
    }
)
done = Anonymizer(Config.load(detectors=["rules"])).anonymize(calls)
print(done.table().to_pylist())
print(
    f"{len(done)} came through; {done.findings().num_rows} findings; scores {done.risks()['score'].to_pylist()}"
)
for rejection in done.rejections():
    print(f"row {rejection.position}: {rejection.error}")
