"""A NeMo Curator stage that anonymises a column of text; what cannot be processed is dropped and counted."""

from typing import Any

from nemo_curator.stages.base import ProcessingStage
from nemo_curator.tasks import DocumentBatch

from tacenda import Anonymizer, Rejection


class Anonymize(ProcessingStage[DocumentBatch, DocumentBatch]):  # type: ignore[misc]
    """Replaces personal data in one column, and drops the others but for what is kept.

    Args:
        config: what ``tacenda.Config.load`` takes; None for defaults.
        text_field: the column of texts.
        keep: columns that hold no personal data.
    """

    name = "tacenda"

    def __init__(self, config: Any = None, text_field: str = "text", keep: tuple[str, ...] = ()) -> None:
        self.anonymizer = Anonymizer(config)
        self.text_field = text_field
        self.keep = list(keep)

    def inputs(self) -> tuple[list[str], list[str]]:
        """What of a batch is read."""
        return ["data"], [self.text_field, *self.keep]

    def outputs(self) -> tuple[list[str], list[str]]:
        """What of a batch is written."""
        return ["data"], [self.text_field, *self.keep]

    def process(self, batch: DocumentBatch) -> DocumentBatch:
        """The batch anonymised, in order; ``dropped`` in its metadata says how many rows are not in it."""
        rows = batch.to_pandas()[[self.text_field, *self.keep]]
        results = list(self.anonymizer.anonymize(rows[self.text_field].tolist())) if len(rows) else []
        stays = [not isinstance(result, Rejection) for result in results]
        left = rows[stays].copy()
        left[self.text_field] = [one.conversation for one in results if not isinstance(one, Rejection)]
        told = {**batch._metadata, "dropped": len(rows) - len(left)}
        return DocumentBatch(dataset_name=batch.dataset_name, data=left, _metadata=told)
