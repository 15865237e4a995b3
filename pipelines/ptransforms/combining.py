"""Combine the receipts of parts."""

from collections.abc import Iterable

import apache_beam as beam

from tacenda.transforms.releasing.manifest import combine
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
