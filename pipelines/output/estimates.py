"""Combine the review that is bound to an output folder with the second look of its run."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tacenda.pipelines.output.file_verification import parts_of
from tacenda.transforms.scoring.combined import Pair, estimate
from tacenda.transforms.scoring.expected import MILLION
from tacenda.transforms.storage.tables import read_columns


def estimate_of(
    output: str, review: Mapping[str, Any], anew: Mapping[str, str] | None = None
) -> dict[str, Any] | None:
    """Estimates by context and in total, from the risk records of a folder.

    Args:
        output: the folder, with the records of run and review.
        review: the manifest's entry on the review, which is of a sample drawn at random.
        anew: by the URL of a file of the folder, that of the one which will take its place.

    Returns: None unless every conversation has a self-check, and enough of each context were read.
    """
    read: dict[str, tuple[str, int]] = {}
    for url in parts_of(output, "review"):
        table = read_columns(url, ["conversation_id", "context", "score"])
        names, contexts, scores = (column.to_pylist() for column in table.columns)
        read.update(zip(names, zip(contexts, scores, strict=True), strict=True))
    pairs: dict[str, list[Pair]] = {}
    checked: dict[str, tuple[int, int]] = {}
    points: dict[str, int] = {}
    calibrated = True
    columns = ["conversation_id", "context", "source", "score", "expected"]
    for url in parts_of(output, "risk"):
        table = read_columns((anew or {}).get(url, url), columns)
        for name, context, source, score, expected in zip(
            *(c.to_pylist() for c in table.columns), strict=True
        ):
            if source != "model":
                continue
            count, total = checked.get(context, (0, 0))
            checked[context] = count + 1, total + score
            of_one = None
            if expected is None:
                calibrated = False
            else:
                of_one = sum(score * times for score, times in enumerate(expected))
                points[context] = points.get(context, 0) + of_one
            if name in read:
                pair = Pair(read[name][1], score, None if of_one is None else Fraction(of_one, MILLION))
                pairs.setdefault(context, []).append(pair)
    if {context: count for context, (count, _) in checked.items()} != dict(review["populations"]):
        return None
    sums: dict[str, tuple[int, int | Fraction]] = dict(checked)
    if calibrated:
        sums = {
            context: (count, Fraction(points[context], MILLION)) for context, (count, _) in checked.items()
        }
    else:
        pairs = {
            context: [Pair(one.read, one.checked) for one in several] for context, several in pairs.items()
        }
    found = estimate(pairs, dict(sorted(sums.items())))
    if found is None:
        return None
    by_context, of_all = found
    return {
        "contexts": {context: one.to_json() for context, one in by_context.items()},
        "total": of_all.to_json(),
    }
