"""Choose the thresholds of a masked language model, by language, on annotated conversations.

    python -m tacenda.models.masked_lm.tuning MODEL GOLD…

prints, for each language, the threshold with the best F1 over words, for ``by_language`` of the config, and
that F1.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tacenda.models.command_line import mistakes_in_one_line
from tacenda.models.masked_lm.loading import load
from tacenda.models.masked_lm.threshold import Threshold, best_threshold
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.models.training.corpora import read_gold
from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.language.telling import main_languages, tell
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.text.column import TextColumn


class Tuned(NamedTuple):
    """The best threshold of a language, and the words that it was chosen on."""

    threshold: Threshold
    words: int


def tuned(model: str, turns: Iterable[Sequence[Mapping[str, Any]]]) -> dict[str, Tuned]:
    """The thresholds by language; languages without an annotated word are left out.

    Args:
        model: the folder of a masked language model.
        turns: those of each conversation, with ``text`` and ``spans``. Words of don't-care spans are not
            judged.

    Raises:
        UserError: the folder holds no such model.
    """
    package = package_of(model)
    if package.engine is not Engine.MASKED_LM:
        raise UserError(f"model {model}: is no masked language model")
    network = load(package, 1)
    found: dict[str, tuple[list[float], list[bool]]] = {}
    for several in turns:
        column = TextColumn([str(turn["text"]) for turn in several], (0, len(several)))
        [language] = main_languages(tell(column), column.first_cell)
        scores, personal = found.setdefault(language, ([], []))
        words, log_scores = network.score(column, 0)
        for word, score in zip(words, log_scores.tolist(), strict=True):
            kinds = {
                gold_labels().kind(span["label"])
                for span in several[word.cell]["spans"]
                if span["start"] < word.end and word.start < span["end"]
            }
            if kinds != {"dont_care"}:
                scores.append(score)
                personal.append(bool(kinds - {"dont_care"}))
    return {
        language: Tuned(best_threshold(np.array(scores), np.array(personal)), len(scores))
        for language, (scores, personal) in sorted(found.items())
        if any(personal)
    }


def main(arguments: Sequence[str]) -> None:
    """See the module; a mistake of the user is one line, and exit code 2."""
    parser = argparse.ArgumentParser(
        "python -m tacenda.models.masked_lm.tuning", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("model", metavar="MODEL", help="folder of the model")
    parser.add_argument("gold", type=Path, nargs="+", metavar="GOLD", help="files of annotated conversations")
    given = parser.parse_args(arguments)
    with mistakes_in_one_line(parser):
        thresholds = tuned(absolute(given.model), (r["turns"] for r in read_gold(given.gold)))
    for language, (threshold, words) in thresholds.items():
        told = f"{language or 'other'}: {math.exp(threshold.log_score):.3g}"
        sys.stdout.write(f"{told}  # F1 {threshold.f1:.3f} over {words:,} words\n")


if __name__ == "__main__":
    main(sys.argv[1:])
