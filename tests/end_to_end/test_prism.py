"""The main job on Prism, if its binary is installed: the same bytes as locally."""

import os
import shutil
from pathlib import Path

import psutil
import pytest

from tests.talks import talk

PRISM = (
    os.environ.get("TACENDA_PRISM")
    or shutil.which("prism")
    or shutil.which("prism", path=Path.home() / "go/bin")
)


@pytest.mark.skipif(PRISM is None, reason="no prism binary; infra/prism/README.md says how to build one")
@pytest.mark.parametrize("shape", ["conversation", "turns"])
def test_prism_writes_the_same_bytes(tacenda, lines, shape):
    if shape == "conversation":
        records = [talk(f"c{i % 39}", ("Pam", f"Pam: mail {i}@example.com")) for i in range(40)]
    else:
        records = [
            {
                "conversation_id": f"c{i % 7}",
                "turn_index": i,
                "speaker": "Pam",
                "text": f"call 555-0{100 + i}",
            }
            for i in range(40)
        ]
    words = ["anonymize", "--input", lines(*records), "--shape", shape, "--unit-bytes", "700"]
    others = psutil.Process().children()
    prism = tacenda(*words, "--runner=PrismRunner", f"--prism_location={PRISM}")
    assert prism.code == 0, prism.err
    assert prism.err == ""
    assert psutil.Process().children() == others
    assert prism.files() == tacenda(*words).files()
