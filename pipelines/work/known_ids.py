"""The conversation ids that a corpus has before a run adds to it."""

from collections.abc import Container

import numpy as np
import numpy.typing as npt

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.transforms.releasing.duplicates import id_hashes
from tacenda.transforms.storage.files import list_folder
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.tables import read_columns


class KnownIds(Container[bytes]):
    """Hashes of ids (``releasing.duplicates``), 8 bytes each."""

    def __init__(self, hashes: bytes) -> None:
        self._sorted: npt.NDArray[np.uint64] = np.sort(np.frombuffer(hashes, dtype="<u8"))

    def __contains__(self, key: object) -> bool:
        assert isinstance(key, bytes)
        value = np.frombuffer(key, dtype="<u8")[0]
        place = int(np.searchsorted(self._sorted, value))
        return place < len(self._sorted) and bool(self._sorted[place] == value)


def known_ids(job: JobSettings | None) -> Container[bytes]:
    """The ids of the corpus to which a run adds, as they are written; none if it begins one."""
    return frozenset() if job is None or job.corpus is None else _of(job.corpus, job.identity.fingerprint)


@built_once
def _of(output: str, run: str) -> KnownIds:
    del run  # another run into the same folder finds other ids there
    tables = (read_columns(url, ["conversation_id"]) for url in list_folder(f"{output}/hashes"))
    return KnownIds(b"".join(id_hashes(table["conversation_id"].to_pylist()) for table in tables))
