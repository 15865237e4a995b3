"""Run ``tacenda lab masked-lm``: convert a model, or choose its thresholds."""

import math
from argparse import Namespace

from tacenda.models.lab.masked_lm_making import converted, tuned
from tacenda.models.token_classifier.hugging_face import CONFIG
from tacenda.models.token_classifier.package import MODEL, TOKENIZER
from tacenda.models.training.corpora import read_gold
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.transforms.storage.files import absolute


def make(arguments: Namespace) -> int:
    """Convert or tune a model, as the arguments say; returns the exit code.

    Raises:
        UserError: the folder holds no such model, or a package is not installed.
    """
    if arguments.what == "convert":
        converted(arguments.model, arguments.target)
        say(f"{arguments.target}: {MODEL}, {CONFIG}, {TOKENIZER}")
        return ExitCode.DONE
    gold = (record["turns"] for record in read_gold(arguments.gold))
    for language, (threshold, words) in tuned(absolute(arguments.model), gold).items():
        told = f"{language or 'other'}: {math.exp(threshold.log_score):.3g}"
        say(f"{told}  # F1 {threshold.f1:.3f} over {words:,} words")
    return ExitCode.DONE
