"""The uses of every command but ``lab``: what each does, its options, and the function that runs it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tacenda.pipelines.command_line.arguments import (
    DETECTING,
    LOOKING,
    READING,
    RELEASING,
    RUNNING,
    WRITING,
    Parser,
    add_options,
)

ONLY = ""
"""The name of the use of a command that has no others."""


class Step(NamedTuple):
    """One step of a use that has several: what it does, its options, and values that it has no option for."""

    what: str
    options: str
    defaults: Mapping[str, Any] = {}


class Use(NamedTuple):
    """One use of a command.

    ``what`` says in a sentence what it does. ``run`` is ``module:function`` in ``tacenda``: called with the
    parsed arguments and, if ``passes``, with the options that it does not know, which are Beam's. ``options``
    are names in ``options.yaml``, that of ``room`` first, or steps by name; ``defaults`` are values without an
    option. ``brief`` names the options that ``--help`` shows, empty for all of them.
    """

    what: str
    run: str
    options: str | Mapping[str, Step]
    passes: bool = False
    brief: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = {}
    room: str | None = None

    def fill(self, parser: Parser) -> None:
        """Add the options to a parser."""
        parser.set_defaults(**self.defaults)
        if isinstance(self.options, str):
            add_options(parser, self.options, self.room)
            return
        steps = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
        for name, step in self.options.items():
            own = steps.add_parser(name, help=step.what)
            own.set_defaults(**step.defaults)
            add_options(own, step.options, self.room)


Uses = Mapping[str, Use]

# What `--help` shows of commands with many options; a config has the rest.
_OF_JOBS = ("input", "output", "config", "shape", "field", "workers", "limit", "overwrite", "dry_run", "json")
_OF_MODELS = ("detector", "model", "quiet")
_ANONYMIZE = Use(
    "Conversations in, anonymised corpus and residual-risk statistics out.",
    "pipelines.startup.launch:launch",
    f"{READING} {RUNNING} {DETECTING} {RELEASING} {WRITING}",
    passes=True,
    brief=(*_OF_JOBS, "keep", "keep_ids", *_OF_MODELS),
    defaults={"job": "anonymize"},
)

USES: Mapping[str, Uses] = {
    "anonymize": {ONLY: _ANONYMIZE},
    "inspect": {
        ONLY: _ANONYMIZE._replace(
            what="Findings only, text untouched.",
            options=f"{READING} {RUNNING} {DETECTING}",
            defaults={"job": "inspect"},
        )
    },
    "preview": {
        ONLY: Use(
            "Show conversations before and after, side by side; for people with access to both.",
            "pipelines.interactive.preview:show",
            f"preview.{LOOKING} preview.conversations html {DETECTING} risk-preset why text json",
            brief=(
                "input", "config", "shape", "field", "conversations", "html", "why", "text", "json",
                *_OF_MODELS,
            ),
        )
    },
    "review": {
        "sample": Use(
            "Draw conversations to read and mark.",
            "pipelines.reviews.sampling:sample",
            "folder read last catch-trials over predictions sample.output",
        ),
        "import": Use(
            "Take readers' marks back, compare readers, and write one review for score and release.",
            "pipelines.reviews.importing:import_reviews",
            "folder files adjudicated reader import.output disputed json",
        ),
        "redteam": Use(
            "Draw conversations for a red team to identify people in, or take its sheet back.",
            "pipelines.reviews.sampling:red_team",
            "folder redteam.seed redteam.conversations redteam.output sheet json signing-key",
        ),
        "release": Use(
            "Judge an anonymised corpus by reviewers' marks or gold; release or hold it.",
            "pipelines.output.review_binding:release",
            "folder review release.gold release.spans because signing-key",
        ),
        "score": Use(
            "Compute the residual risk of reviewed conversations or of a gold corpus.",
            "pipelines.startup.launch:launch",
            f"{READING} {RUNNING} spans reviewed reviewer {RELEASING}",
            passes=True,
            brief=(*_OF_JOBS, "spans", "reviewed", "reviewer", "quiet"),
            # The text is not searched, and manifest and report must not claim that it was.
            defaults={"job": "score", "detector": ()},
        ),
    },
    "evaluate": {
        ONLY: Use(
            "Recall, precision, F-beta and leak rates on gold conversations, with intervals.",
            "pipelines.measurement.evaluation:evaluate",
            "gold.input config compare-config local.detector model beta slice per-label count gold-complete "
            "bootstrap seed evaluate.json errors workers unit-bytes",
        )
    },
    "corpus": {
        "verify": Use(
            "Check that files, counts, statistics, verdict and report of an output folder agree.",
            "pipelines.output.verification:show_verification",
            "verify.output public-key json",
        ),
        "add": _ANONYMIZE._replace(
            what="Read the files that a corpus does not have yet, and add them; begin it if OUT is empty.",
            run="pipelines.startup.addition:launch_addition",
        ),
        "erase": Use(
            "Take conversations out of an anonymised corpus, with everything that is kept of them.",
            "pipelines.output.erasing:erase_and_tell",
            "folder erase.conversations erase.config erase.input digest-key json signing-key",
        ),
        "reidentify": Use(
            "Restore the originals of values that the config's keys can decrypt.",
            "pipelines.corpora.reidentification:reidentify",
            "reidentify.input reidentify.output reidentify.config reidentify.field",
        ),
    },
    "config": {
        "init": Use(
            "Write a commented config to start from.",
            "pipelines.reference.lookup:write_starter",
            "file init.from context-form",
        ),
        "check": Use(
            "Validate a config and show what it looks for and what it does not.",
            "pipelines.reference.lookup:check",
            f"check.config {DETECTING} risk-preset json",
        ),
        "infotypes": Use(
            "List the built-in infoTypes, or export them as a cloud template.",
            "pipelines.reference.lookup:list_info_types",
            "names infotypes.config risk-preset infotypes.json export-inspect-template",
        ),
        "sample": Use(
            "Write sample conversations with gold spans, and matching dictionaries.",
            "pipelines.corpora.sample_corpus:write_sample",
            "sample.conversations new.output sample.seed sample.format workers",
        ),
    },
    "train": {
        "detector": Use(
            "Train a detector on gold conversations; writes a package for --model.",
            "pipelines.training.detector_training:train",
            "train.gold dev train.split-by dev-share labels synthetic "
            "base layers inner from-checkpoint teacher steps batch rate train.seed device "
            "no-compile threads train.output work delta early-exit max-places name "
            "package-version license",
            brief=(
                "gold", "dev", "base", "output", "work", "steps", "batch", "device", "layers", "name",
                "quiet",
            ),
        ),
    },
}  # fmt: skip
