"""Combine the receipts of parts."""

from collections.abc import Iterable
from typing import Any

import apache_beam as beam

from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.fold import Fold
from tacenda.transforms.releasing.merging import combine
from tacenda.transforms.schema.receipt import Receipt


class CombineReceipts(beam.CombineFn):  # type: ignore[misc]
    """Combine the receipts of parts into their sum and the list of part names."""

    def create_accumulator(self) -> tuple[Receipt, list[str]]:
        return combine("", ()), []

    def add_input(self, accumulator: tuple[Receipt, list[str]], part: Receipt) -> tuple[Receipt, list[str]]:
        whole, names = accumulator
        return combine("", (whole, part)), [*names, part.unit]

    def merge_accumulators(
        self, accumulators: Iterable[tuple[Receipt, list[str]]]
    ) -> tuple[Receipt, list[str]]:
        wholes, names = zip(*accumulators, strict=True)
        return combine("", wholes), [name for several in names for name in several]

    def extract_output(self, accumulator: tuple[Receipt, list[str]]) -> tuple[Receipt, list[str]]:
        return accumulator


def add_fold(pipeline: beam.Pipeline, fold: Fold[Any, Any]) -> Any:
    """Add the steps of a fold to a pipeline."""
    return (
        pipeline
        | "Items" >> beam.Create(list(enumerate(fold.items)))
        | "Spread" >> beam.Reshuffle()
        | "OfItem" >> beam.Map(_of_item, fold.of_item)
        | "Merge" >> beam.CombineGlobally(_Merge(fold.merge))
        | "Finish" >> beam.Map(fold.finish)
    )


def _of_item(numbered: tuple[int, Any], of_item: Any) -> Any:
    number, item = numbered
    with sanitize_errors(f"part {number}"):
        return of_item(item)


class _Merge(beam.CombineFn):  # type: ignore[misc]
    """The sum of results; an accumulator is a list of at most one."""

    def __init__(self, merge: Any) -> None:
        self._merge = merge

    def create_accumulator(self) -> list[Any]:
        return []

    def add_input(self, accumulator: list[Any], result: Any) -> list[Any]:
        return [self._merge(accumulator[0], result)] if accumulator else [result]

    def merge_accumulators(self, accumulators: Iterable[list[Any]]) -> list[Any]:
        merged: list[Any] = []
        for accumulator in accumulators:
            for result in accumulator:
                merged = self.add_input(merged, result)
        return merged

    def extract_output(self, accumulator: list[Any]) -> Any:
        return accumulator[0]
