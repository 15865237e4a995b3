"""Anonymise conversations as they come, in batches, without holding all of them.

python docs/examples/stream.py < conversations.jsonl > anonymized.jsonl
"""

import json
import sys

from tacenda import Anonymizer, Config, Rejection

anonymizer = Anonymizer(Config.load(detectors=["rules"]))
for result in anonymizer.anonymize(map(json.loads, sys.stdin)):
    if isinstance(result, Rejection):
        print(f"conversation {result.position} left out: {result.error}", file=sys.stderr)
    else:
        print(json.dumps(result.conversation, ensure_ascii=False))
