"""Anonymise a Hugging Face dataset; rows that cannot be processed are dropped and counted."""

from typing import Any

from datasets import Dataset

from tacenda import Anonymizer, Rejection

_LEFT_OUT = "left_out"


def anonymize(dataset: Dataset, config: Any = None, **mapped: Any) -> tuple[Dataset, int]:
    """The dataset with personal data replaced, by ``Dataset.map``, and the number of rows that were dropped.

    Args:
        dataset: rows of any shape but a turn a row, such as ``messages`` or ``text``; columns that the shape
            does not read are dropped.
        config: what ``tacenda.Config.load`` takes; None for defaults.
        mapped: further arguments of ``Dataset.map``, such as ``num_proc``.
    """
    anonymizer = Anonymizer(config)
    columns = dataset.column_names

    def replaced(batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        rows = [
            dict(zip(columns, values, strict=True))
            for values in zip(*(batch[name] for name in columns), strict=True)
        ]
        written = [
            {_LEFT_OUT: True} if isinstance(one, Rejection) else {_LEFT_OUT: False, **one.conversation}
            for one in anonymizer.anonymize(iter(rows))
        ]
        names = dict.fromkeys([_LEFT_OUT, *(name for name in columns if any(name in row for row in written))])
        return {name: [row.get(name) for row in written] for name in names}

    done = dataset.map(replaced, batched=True, batch_size=256, remove_columns=columns, **mapped)
    left = done.filter(lambda out: not out, input_columns=_LEFT_OUT)
    return left.remove_columns(_LEFT_OUT), len(done) - len(left)
