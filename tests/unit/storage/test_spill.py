import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tacenda.transforms.storage.spill import Spill

PIECES = [(3, b"one"), (1, b"two"), (3, b""), (3, b"three" * 50)]


@pytest.mark.parametrize("memory", [1, 10_000])
def test_pieces_come_back_under_their_number_in_order(memory: int) -> None:
    spill = Spill(memory)
    for number, data in PIECES:
        spill.add(number, data)
    assert spill.numbers() == [1, 3]
    assert spill.take(3) == [b"one", b"", b"three" * 50]
    spill.add(1, b"four")
    assert spill.take(1) == [b"two", b"four"]
    assert (spill.take(1), spill.numbers()) == ([], [])


def test_what_is_on_disk_has_no_name_there(tmp_path: Path) -> None:
    program = (
        "import os; from tacenda.transforms.storage.spill import Spill\n"
        "spill = Spill(10); spill.add(0, bytes(1000))\n"
        "print(os.fstat(spill._file.fileno()).st_nlink, os.listdir(os.environ['TMPDIR']))\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run(
        [sys.executable, "-u", "-c", program],
        env={"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "0 []\n"), done.stderr
    assert list(tmp_path.iterdir()) == []
