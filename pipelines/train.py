"""``tacenda train``: train a detector on gold conversations; writes a package for ``--model``."""

import shutil
from argparse import ArgumentTypeError, Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacenda.pipelines.command_line.arguments import Parser, positive, whole_number
from tacenda.pipelines.command_line.figures import figure
from tacenda.pipelines.command_line.terminal import report_figures, say
from tacenda.transforms.schema.errors import UserError

if TYPE_CHECKING:
    from tacenda.models.training.corpora import LabelScheme
    from tacenda.models.training.packaging import Intent

_EXTRA = ("torch", "safetensors", "onnx")
"""Packages of the extra ``train``."""


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda train", description=__doc__, allow_abbrev=False)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--gold",
        nargs="+",
        required=True,
        type=Path,
        metavar="FILE",
        help="conversations with turns[].spans, JSON lines or .gz",
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
        metavar="FOLDER",
        help="BERT checkpoint to start from: config.json, model.safetensors, tokenizer.json",
    )
    network.add_argument(
        "--layers",
        type=_layers,
        metavar="I,J…",
        help="layers to keep, 0-based; fewer are faster and less accurate",
    )
    network.add_argument(
        "--teacher",
        type=Path,
        metavar="FILE",
        help="checkpoint of a larger network with the same --base and --labels, to distil and to take --layers "
        "from",
    )
    network.add_argument(
        "--inner",
        type=positive,
        metavar="N",
        help="with --teacher: inner units to keep in each layer; fewer are faster and less accurate",
    )
    network.add_argument(
        "--steps", type=positive, default=2000, metavar="N", help="training steps (%(default)s)"
    )
    network.add_argument(
        "--batch", type=positive, default=4096, metavar="N", help="word pieces in a batch (%(default)s)"
    )
    network.add_argument("--rate", type=_amount, default=3e-4, help="learning rate (%(default)s)")
    network.add_argument("--seed", type=positive, default=1, help="random seed (%(default)s)")
    network.add_argument(
        "--class-weights",
        choices=("none", "balanced"),
        default="none",
        help="balanced: give rare classes more weight",
    )
    network.add_argument(
        "--checkpoint-every",
        type=positive,
        default=250,
        metavar="N",
        help="steps between checkpoints (%(default)s)",
    )
    network.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    network.add_argument("--no-compile", action="store_true", help="start at once, with slower steps")
    network.add_argument("--threads", type=positive, metavar="N", help="threads of torch and ONNX Runtime")
    network.add_argument(
        "--learning-curve",
        nargs="?",
        type=positive,
        const=3,
        default=0,
        metavar="SEEDS",
        help="also train on 25, 50, 75 and 100 %% of the training part, with this number of seeds (3)",
    )
    out = parser.add_argument_group("package")
    out.add_argument("--output", required=True, type=Path, metavar="FOLDER", help="folder for the package")
    out.add_argument(
        "--work", type=Path, metavar="FOLDER", help="folder for checkpoints and logs; default OUTPUT.training"
    )
    out.add_argument(
        "--from-checkpoint",
        type=Path,
        metavar="FILE",
        help="do not train: package this checkpoint, trained with the same --labels; needs --dev",
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
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise UserError(f"{', '.join(missing)} not installed; pip install '.[train]'")
    _check(arguments)
    from tacenda.models.training.corpora import LabelScheme

    scheme = LabelScheme.load(None if arguments.labels is None else _text(arguments.labels))
    _refuse_unasked(scheme, arguments.labels)
    told = _exported(arguments, scheme) if arguments.from_checkpoint else _trained(arguments, scheme)
    say(_summary(arguments.output, told))
    return 0


def _check(arguments: Namespace) -> None:
    import torch

    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise UserError("--device cuda: torch sees no GPU here; leave it out, or install torch for your GPU")
    if arguments.inner and not arguments.teacher:
        raise UserError("--inner: only applies to distillation; give --teacher too")
    if arguments.from_checkpoint and not arguments.dev:
        raise UserError(
            "--from-checkpoint: give --dev; the conversations held out in that training are unknown"
        )
    output: Path = arguments.output
    if output.exists() and (not output.is_dir() or (any(output.iterdir()) and not _is_package(output))):
        raise UserError(f"--output {output}: exists and is not a package; name an empty or new folder")


def _refuse_unasked(scheme: "LabelScheme", labels: Path | None) -> None:
    """Reject classes that are neither infoTypes nor listed as unreported: no run would ask for them."""
    from tacenda.transforms.detecting.rules.catalogue import catalogue

    place = "the shipped labels" if labels is None else f"--labels {labels}"
    known = [name for name in scheme.classes[1:] if name in catalogue()]
    for name in scheme.classes[1:]:
        if name not in known and name not in scheme.unreported:
            raise UserError(
                f"{place}: class {name} is not an infoType, so no run would find it; see 'tacenda infotypes', "
                "or list it under 'unreported'"
            )
    if not known:
        raise UserError(f"{place}: no class is an infoType, so no run would find any")


def _is_package(folder: Path) -> bool:
    return (folder / "package.json").is_file() or (folder / "model.onnx").is_file()


def _intent(arguments: Namespace) -> "Intent":
    from tacenda.models.training.packaging import Intent

    return Intent(
        name=arguments.name or arguments.output.resolve().name,
        version=arguments.package_version,
        licenses=tuple(arguments.license),
        max_places=arguments.max_places,
        context=arguments.context,
        delta=arguments.delta,
        hysteresis=arguments.hysteresis,
        early_exit=arguments.early_exit,
        threads=arguments.threads or 0,
    )


def _exported(arguments: Namespace, scheme: "LabelScheme") -> dict[str, Any]:
    from tacenda.models.training.packaging import package_from_checkpoint

    return package_from_checkpoint(
        arguments.from_checkpoint,
        arguments.base,
        arguments.dev,
        arguments.output,
        scheme,
        _intent(arguments),
        arguments.gold,
    )


def _trained(arguments: Namespace, scheme: "LabelScheme") -> dict[str, Any]:
    from tacenda.models.training.fitting import Machine, Recipe, fit
    from tacenda.models.training.loop import Schedule

    recipe = Recipe(
        gold=tuple(arguments.gold),
        base=arguments.base,
        schedule=Schedule(
            arguments.steps,
            rate=arguments.rate,
            embedding_rate=arguments.rate / 3,
            checkpoint_every=arguments.checkpoint_every,
        ),
        dev=tuple(arguments.dev),
        split_by=arguments.split_by,
        dev_share=arguments.dev_share,
        layers=arguments.layers,
        teacher=arguments.teacher,
        inner=arguments.inner,
        seed=arguments.seed,
        synthetic=arguments.synthetic,
        weighted=arguments.class_weights == "balanced",
        augmented=not arguments.no_augmentation,
        curve_seeds=arguments.learning_curve,
        places=arguments.batch,
    )
    # Compiling for a CPU needs a C++ compiler.
    able = arguments.device == "cuda" or any(map(shutil.which, ("c++", "g++", "clang++")))
    machine = Machine(arguments.device, able and not arguments.no_compile)
    output: Path = arguments.output
    # "." has a name only as an absolute path.
    whole = output.absolute()
    work = arguments.work or whole.with_name(f"{whole.name}.training")
    return fit(recipe, scheme, _intent(arguments), output, work, machine, _report)


def _report(line: dict[str, Any]) -> None:
    """Print a line of figures; contains no text of the gold."""
    report_figures("  ".join(f"{name} {value}" for name, value in line.items()))


def _summary(output: Path, told: dict[str, Any]) -> str:
    figures, small = told["figures"], told["steps"]
    rows = [f"{'infoType':<28}{'limit':>7}{'spans':>8}{'recall':>8}{'precision':>11}"]
    limits = told["decision"].get("thresholds", {})
    for name, one in figures["by_info_type"].items():
        if one["support"]:
            limit = limits.get(name, told["decision"]["threshold"])
            rows.append(
                f"{name:<28}{limit:>7}{one['support']:>8,}{figure(one['recall']):>8}{figure(one['precision']):>11}"
            )
    whole = f"recall {figure(figures['recall'])}, precision {figure(figures['precision'])}"
    rows.append(
        f"on development data: {whole}; before quantisation recall {figure(small['float32']['recall'])}, "
        f"precision {figure(small['float32']['precision'])}"
    )
    rows.append(f"package: {output} (trained on raw gold: protect it alike); see MODEL_CARD.md")
    return "\n".join(rows) + "\n"


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--labels {path}: cannot be read ({type(error).__name__})") from None


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


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("train")
