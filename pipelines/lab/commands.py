"""``tacenda lab``: experiments on models and corpora; loaded by an entry point of the extra ``[lab]``."""

from collections.abc import Mapping

from tacenda.pipelines.command_line.arguments import LOOKING
from tacenda.pipelines.uses import Step, Use

_COUNTING = "workers unit-bytes"
_FIGURES = f"figures.output json {_COUNTING}"
_BOTH = f"source audit.synthetic drawn.seed new.output {_COUNTING}"

_EXPERIMENTS: tuple[tuple[str, str, str, str | Mapping[str, Step]], ...] = (
    (
        "bias",
        "Does a model treat people differently by their names?",
        "bias:judge",
        {
            "variants": Step(
                "write each gold conversation with one name in it again, with names of other groups",
                f"gold.input bias.names gold-complete bias.keep new.output {_COUNTING}",
            ),
            "detector": Step(
                "try our own detectors on such variants, without writing them",
                "gold.input bias.names gold-complete config local.detector model bootstrap seed " + _FIGURES,
                {"keep": ()},
            ),
            "report": Step(
                "recall by group and gender from the predictions of your model on the variants",
                f"bias.predictions bootstrap seed {_FIGURES}",
            ),
        },
    ),
    (
        "leak-scan",
        "Personal data in the outputs of a trained model.",
        "leaks:scan",
        f"{LOOKING} local.detector model task generated at-most {_FIGURES}",
    ),
    (
        "canaries",
        "Does a model repeat what it was trained on?",
        "canaries:memorization",
        {
            "plant": Step(
                "write a corpus again with invented sentences in some conversations, to train on",
                f"plant.input plant.count copies candidates drawn.seed new.output {_COUNTING}",
            ),
            "exposure": Step(
                "from the model's scores of these sentences: how far it memorised them, in bits",
                f"planted scores {_FIGURES}",
            ),
        },
    ),
    (
        "uniqueness",
        "Who would be unique in a population by what is left in a corpus.",
        "uniqueness:measure",
        f"{LOOKING} local.detector model population uniqueness.people {_FIGURES}",
    ),
    (
        "contexts",
        "Grade conversations by how unusual the words around their replaced data are.",
        "contexts:uniqueness",
        f"folder drawn.seed conversations {_FIGURES}",
    ),
    (
        "linkability",
        "Does style join conversations of one person?",
        "linkability:compare_styles",
        f"{LOOKING} person speaker people {_FIGURES} into signing-key",
    ),
    (
        "utility",
        "What does anonymisation cost a model that is trained on the corpus?",
        "utility:utility",
        f"original anonymized held-out utility.task records bootstrap seed {_FIGURES}",
    ),
    (
        "audit",
        "Does a synthetic corpus copy its source, and is it like it?",
        "audit:audit",
        {
            "compare": Step(
                "copies, diversity and frequencies; ends with 3 if the synthetic corpus has copies",
                f"{_BOTH} threshold samples events json",
            ),
            "questions": Step(
                "draw records of both, in random order, for people to answer four questions about",
                f"{_BOTH} audit.count",
                {"events": None},
            ),
            "answers": Step("agreement of two people, by question and origin", "key sheets json"),
        },
    ),
    (
        "masked-lm",
        "Convert a masked language model, choose its thresholds on gold, and write a config that uses it.",
        "masked_lm:make",
        "masked.model target masked.gold",
    ),
)

USES = {
    name: Use(what, f"pipelines.lab.{run}", options, room=__package__)
    for name, what, run, options in _EXPERIMENTS
}
