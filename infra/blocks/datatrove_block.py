"""A datatrove block that anonymises documents; those that cannot be processed are dropped and counted."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from tacenda import Anonymizer, Rejection

_AT_ONCE = 256


class Anonymize(PipelineStep):  # type: ignore[misc]
    """Replaces personal data in the text of documents, and drops their metadata but for what is kept.

    Args:
        config: what ``tacenda.Config.load`` takes; None for defaults.
        keep: names of metadata that hold no personal data.
    """

    type = "Formatter"
    name = "Tacenda"

    def __init__(self, config: Any = None, keep: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._anonymizer = Anonymizer(config)
        self._keep = keep

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        """Yield the documents anonymised, in order."""
        documents = iter(data or ())
        while several := list(islice(documents, _AT_ONCE)):
            with self.track_time("batch"):
                results = list(self._anonymizer.anonymize([one.text for one in several]))
            for document, result in zip(several, results, strict=True):
                if isinstance(result, Rejection):
                    self.stat_update(f"dropped_{result.error}")
                    continue
                self.stat_update("findings", value=len(result.findings))
                document.text = result.conversation
                document.metadata = {
                    key: document.metadata[key] for key in self._keep if key in document.metadata
                }
                yield document
