import subprocess
import sys

from tests.waiting import PATIENCE_S

SCRIPT = """
import time
from apache_beam.runners.worker import sdk_worker_main
from tacenda.pipelines.executors import local_worker
sdk_worker_main.main = lambda argv: time.sleep(120)
local_worker.main()
"""


def test_a_worker_whose_driver_died_before_it_began_ends() -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(dead.pid)], timeout=PATIENCE_S, check=False)
    assert done.returncode == 1
