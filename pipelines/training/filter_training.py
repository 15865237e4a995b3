"""Train the filter of turns that can skip the network of a package."""

from argparse import Namespace
from pathlib import Path

from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.package import DESCRIPTION, TOKENIZER, TURN_FILTER, Engine
from tacenda.models.training.turn_filter import (
    describe_filter,
    judged_text,
    learn_turn_filter,
    maker_of,
    refuse_unlisted,
    vocabulary_of,
)
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.transforms.schema.errors import UserError


def train_filter(arguments: Namespace) -> int:
    """Train the filter of a package and write it there; returns the exit code.

    Raises:
        UserError: the package cannot have a filter, or the text is of one maker only.
    """
    package = package_of(None if arguments.model is None else str(arguments.model))
    if package.engine is not Engine.ONNX or not (package.path / DESCRIPTION).is_file():
        raise UserError(
            f"--model {package.path}: not a package of 'tacenda train detector'; others cannot have a filter"
        )
    if len({maker_of(path) for path in arguments.text}) < 2:
        raise UserError(
            "--text: all files have the same maker, by the first word of their names; the limit is chosen by "
            "cross-validation, so name files of two makers or more"
        )
    refuse_unlisted(package.path, arguments.text, "turn_filter")
    judged = []
    read: dict[Path, int] = dict.fromkeys(arguments.text, 0)
    for path, conversations, part in judged_text(package, arguments.text, arguments.characters):
        read[path] += conversations
        judged.append(part)
    learnt, report = learn_turn_filter(judged, vocabulary_of(package.path / TOKENIZER), package.network)
    learnt.write(package.path / TURN_FILTER)
    describe_filter(package.path, report, read)
    figures = report["makers_left_out"].values()
    tokens, findings = (sum(one[name] for one in figures) for name in ("tokens", "findings"))
    skipped, lost = (sum(one[name] for one in figures) for name in ("skipped", "lost"))
    say(
        f"{package.path / TURN_FILTER}: {report['words']:,} words, limit {report['limit']:g}; for "
        f"held-out makers, {skipped / max(tokens, 1):.3f} of the tokens are in turns that skip the network, "
        f"with {lost} of {findings:,} findings"
    )
    return ExitCode.DONE
