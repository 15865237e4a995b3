"""``tacenda train``: detectors, and what is learnt beside them; most of it needs the extra ``[train]``."""

from tacenda.pipelines.command_line.commands import Use

_BRIEF = ("gold", "dev", "base", "output", "work", "steps", "batch", "device", "layers", "name", "quiet")

USES = {
    "detector": Use(
        "Train a detector on gold conversations; writes a package for --model.",
        "pipelines.training.detector_training:train",
        "train.gold dev train.split-by dev-share labels synthetic "
        "base layers inner from-checkpoint teacher steps batch rate train.seed device "
        "no-compile threads train.output work delta early-exit max-places name "
        "package-version license",
        brief=_BRIEF,
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("train")
