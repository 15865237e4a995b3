"""Train a detector on gold conversations, or package one from a checkpoint."""

import os
import shutil
from argparse import Namespace
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import figure, report_figures, say
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import UserError

if TYPE_CHECKING:
    from tacenda.models.training.corpora import LabelScheme

_EXTRA = ("torch", "safetensors", "onnx")  # packages of the extra ``train``


def train(arguments: Namespace) -> int:
    """Train as the arguments say, and print the figures; returns the exit code.

    Raises:
        UserError: a package of the extra is missing, or the arguments do not fit together or the data.
    """
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise UserError(f"{', '.join(missing)} not installed; pip install '.[train]'")
    _check(arguments)
    from tacenda.models.training.corpora import LabelScheme

    place = "the shipped labels" if arguments.labels is None else f"--labels {arguments.labels}"
    try:
        text = None if arguments.labels is None else arguments.labels.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{place}: cannot be read ({type(error).__name__})") from None
    scheme = LabelScheme.load(text)
    # No run would ask for classes that are neither infoTypes nor listed as unreported.
    for name in scheme.classes[1:]:
        if name not in catalogue() and name not in scheme.unreported:
            raise UserError(
                f"{place}: class {name} is not an infoType, so no run would find it; see 'tacenda config "
                "infotypes', or list it under 'unreported'"
            )
    if not any(name in catalogue() for name in scheme.classes[1:]):
        raise UserError(f"{place}: no class is an infoType, so no run would find any")
    say(_summary(arguments.output, _trained(arguments, scheme)))
    return ExitCode.DONE


def _check(arguments: Namespace) -> None:
    import torch

    torch.set_num_threads(arguments.threads or os.cpu_count() or 1)
    if arguments.device == "cuda" and not torch.cuda.is_available():
        raise UserError("--device cuda: torch sees no GPU here; leave it out, or install torch for your GPU")
    output: Path = arguments.output
    is_package = any((output / name).is_file() for name in ("package.json", "model.onnx"))
    if output.exists() and not is_package and (not output.is_dir() or any(output.iterdir())):
        raise UserError(f"--output {output}: exists and is not a package; name an empty or new folder")


def _trained(arguments: Namespace, scheme: "LabelScheme") -> dict[str, Any]:
    from tacenda.models.training.fitting import fit
    from tacenda.models.training.recipe import Recipe

    given = vars(arguments)
    recipe = Recipe(**{field.name: given[field.name] for field in fields(Recipe) if field.name in given})
    # "." has a name only as an absolute path.
    output: Path = arguments.output.absolute()
    # Compiling for a CPU needs a C++ compiler.
    able = recipe.device == "cuda" or any(map(shutil.which, ("c++", "g++", "clang++")))
    recipe = replace(recipe, name=recipe.name or output.name, compiled=able and not arguments.no_compile)
    work = arguments.work or output.with_name(f"{output.name}.training")

    def report(line: dict[str, Any]) -> None:
        report_figures("  ".join(f"{name} {value}" for name, value in line.items()))

    return fit(recipe, scheme, output, work, report)


def _summary(output: Path, told: dict[str, Any]) -> str:
    whole, exact = (
        f"recall {figure(one['recall'])}, precision {figure(one['precision'])}"
        for one in (told["figures"], told["steps"]["float32"])
    )
    return (
        f"on development data: {whole}; before quantisation {exact}\n"
        f"package: {output} (trained on raw gold: protect it alike); see its MODEL_CARD.md\n"
    )
