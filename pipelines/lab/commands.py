"""``tacenda lab``: experiments on models and corpora; loaded by an entry point of the extra ``[lab]``."""

from argparse import ArgumentTypeError
from pathlib import Path

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_bootstrap,
    add_figures,
    add_folder,
    add_json,
    add_local_detectors,
    add_looking,
    add_measuring,
    add_signing,
    positive,
    share,
    whole_number,
)
from tacenda.pipelines.command_line.commands import Use
from tacenda.pipelines.command_line.terminal import TERMINAL


def _bias(parser: Parser) -> None:
    verbs = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
    variants = verbs.add_parser(
        "variants", help="write each gold conversation with one name in it again, with names of other groups"
    )
    detector = verbs.add_parser(
        "detector", help="try our own detectors on such variants, without writing them"
    )
    report = verbs.add_parser(
        "report", help="recall by group and gender from the predictions of your model on the variants"
    )
    for one in (variants, detector):
        one.add_argument(
            "--input", required=True, nargs="+", metavar="GOLD", help="conversations with turns[].spans"
        )
    variants.add_argument(
        "--output", required=True, metavar="URL", help="an empty or new folder; restrict access"
    )
    variants.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="FIELD",
        help="a field to write unchanged, such as the class to predict; repeatable",
    )
    report.add_argument(
        "--predictions",
        required=True,
        nargs="+",
        metavar="FILE",
        help="JSON lines, CSV or Parquet with variant_of, group, gender, gold and prediction",
    )
    for one in (variants, detector):
        one.add_argument(
            "--names",
            metavar="FILE",
            help="lists of names by group, or 'origins' for nineteen built-in; default: four built-in groups",
        )
    detector.add_argument("--config", metavar="FILE", help="YAML or JSON; without it, the defaults")
    add_local_detectors(detector)
    for one in (variants, detector):
        one.add_argument(
            "--gold-complete",
            action="store_true",
            help="the gold of a record without the field 'gold' is complete",
        )
    for one in (detector, report):
        add_bootstrap(one)
    for one in (detector, report):
        one.add_argument(
            "--json", nargs="?", const=TERMINAL, metavar="FILE", help="write all figures there, or to stdout"
        )
    for one in (variants, detector):
        add_measuring(one)


def _canaries(parser: Parser) -> None:
    verbs = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
    plant = verbs.add_parser(
        "plant", help="write a corpus again with invented sentences in some of its conversations, to train on"
    )
    exposure = verbs.add_parser(
        "exposure", help="from the model's scores of these sentences: how far it memorised them, in bits"
    )
    membership = verbs.add_parser(
        "membership",
        help="from the model's losses on records: can they be told from records it was not trained on?",
    )
    plant.add_argument("--input", required=True, nargs="+", metavar="URL", help="the corpus to train on")
    plant.add_argument("--output", required=True, metavar="URL", help="an empty or new folder")
    plant.add_argument("--count", type=positive, default=20, metavar="N", help="canaries (%(default)s)")
    plant.add_argument(
        "--copies",
        type=positive,
        default=1,
        metavar="N",
        help="conversations that each is planted in (%(default)s)",
    )
    plant.add_argument(
        "--candidates",
        type=positive,
        default=1000,
        metavar="N",
        help="other sentences to score beside each canary (%(default)s)",
    )
    plant.add_argument("--seed", type=whole_number, default=1, help="seed of the canaries (1)")
    exposure.add_argument(
        "--planted", required=True, metavar="FILE", help="canaries.json, which 'plant' wrote"
    )
    for one in (exposure, membership):
        one.add_argument(
            "--scores",
            required=True,
            nargs="+",
            metavar="FILE",
            help="JSON lines, CSV or Parquet. exposure: canary, candidate and score, the loss; "
            "membership: member (true or false) and score",
        )
    for one in (exposure, membership):
        add_json(one)
    add_measuring(plant)


def _audit(parser: Parser) -> None:
    verbs = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
    compare = verbs.add_parser(
        "compare", help="copies, diversity and frequencies; ends with 3 if the synthetic corpus has copies"
    )
    questions = verbs.add_parser(
        "questions", help="draw records of both, in random order, for people to answer four questions about"
    )
    answers = verbs.add_parser("answers", help="agreement of two people, by question and origin")
    for one in (compare, questions):
        one.add_argument(
            "--source",
            required=True,
            nargs="+",
            metavar="URL",
            help="the corpus that the other was made from",
        )
    for one in (compare, questions):
        one.add_argument("--synthetic", required=True, nargs="+", metavar="URL", help="the synthetic corpus")
    for one in (compare, questions):
        one.add_argument("--output", required=True, metavar="URL", help="an empty or new folder")
    compare.add_argument(
        "--threshold",
        type=share,
        default=0.9,
        metavar="COSINE",
        help="above it, records are near copies (%(default)s)",
    )
    compare.add_argument(
        "--samples",
        type=positive,
        default=5,
        metavar="N",
        help="samples of the source (%(default)s)",
    )
    compare.add_argument(
        "--events",
        metavar="GROUP,EVENT",
        help="two fields of the records, such as drug,effect, whose frequencies are compared",
    )
    compare.add_argument(
        "--tags",
        metavar="FIELD",
        help="a field of the records with parts of speech, from a tagger of yours: a list, or a text "
        "with spaces between them",
    )
    compare.add_argument(
        "--tagger",
        metavar="PATH",
        help="a folder with a spaCy pipeline that tags parts of speech, instead of --tags",
    )
    questions.add_argument("--count", type=positive, default=100, help="records of each (%(default)s)")
    answers.add_argument("--key", required=True, metavar="FILE", help="key.json, which 'questions' wrote")
    answers.add_argument("--sheets", required=True, nargs=2, metavar="FILE", help="the sheets of two people")
    for one in (compare, questions):
        one.add_argument("--seed", type=int, default=1, help="of samples and questions (1)")
    for one in (compare, answers):
        add_json(one)
    for one in (compare, questions):
        add_measuring(one)


def _utility(parser: Parser) -> None:
    parser.add_argument(
        "--original", nargs="+", required=True, metavar="URL", help="the corpus before anonymisation"
    )
    parser.add_argument(
        "--anonymized",
        type=_version,
        action="append",
        required=True,
        metavar="NAME=URL",
        help="the same conversations after it, such as tokens=clean/corpus; repeatable",
    )
    parser.add_argument(
        "--held-out",
        nargs="+",
        required=True,
        metavar="URL",
        help="other conversations, not anonymised, to judge by",
    )
    parser.add_argument(
        "--task",
        metavar="FIELD",
        help="a field with the class of a conversation: can it still be learnt? When anonymising, keep it with "
        "--keep and --opaque",
    )
    parser.add_argument(
        "--records",
        type=positive,
        default=5000,
        metavar="N",
        help="conversations of each to use (%(default)s)",
    )
    parser.add_argument(
        "--network",
        action="store_true",
        help="also train a small network on each, for minutes; needs pip install '.[train]'",
    )
    parser.add_argument("--seeds", type=positive, default=3, help="networks for each version (%(default)s)")
    add_bootstrap(parser)
    add_figures(parser)


def _linkability(parser: Parser) -> None:
    add_looking(parser)
    parser.add_argument(
        "--person",
        metavar="FIELD",
        help="a field that is the same for all conversations of a person, such as a customer's number",
    )
    parser.add_argument(
        "--speaker",
        action="append",
        metavar="NAME",
        help="compare only the turns of this speaker or role, such as user; repeatable; default: all turns",
    )
    parser.add_argument(
        "--people",
        type=positive,
        default=2000,
        metavar="N",
        help="compare a sample of so many people, or conversations without --person (%(default)s)",
    )
    add_figures(parser)
    parser.add_argument(
        "--into",
        metavar="OUT",
        help="enter the figures into manifest and report of this output folder, whose corpus is the input",
    )
    add_signing(parser)


def _uniqueness(parser: Parser) -> None:
    add_looking(parser)
    add_local_detectors(parser)
    parser.add_argument(
        "--population",
        required=True,
        metavar="FILE",
        help="a table with info_type, value, share: of the people whose conversations they may be",
    )
    parser.add_argument(
        "--people", required=True, type=positive, metavar="N", help="how many people the population has"
    )
    add_figures(parser)


def _contexts(parser: Parser) -> None:
    add_folder(parser)
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the sample (%(default)s)")
    parser.add_argument(
        "--conversations",
        type=positive,
        default=500,
        metavar="N",
        help="number of conversations, which are compared with each other (%(default)s)",
    )
    parser.add_argument(
        "--mode",
        choices=("unique", "pairs", "all_pairs"),
        default="unique",
        help="what counts: contexts unlike all of other conversations, or pairs (%(default)s)",
    )
    parser.add_argument(
        "--of",
        choices=("own", "all", "counted"),
        default="own",
        help="what percentages are shares of: the conversation's contexts, those of all, or all that counts "
        "(%(default)s)",
    )
    parser.add_argument("--output", metavar="FILE", help="write the figures of every conversation there")
    add_json(parser)


def _leak_scan(parser: Parser) -> None:
    add_looking(parser)
    add_local_detectors(parser)
    parser.add_argument(
        "--task",
        metavar="FIELD",
        help="a field that names the task of each output; figures are by task as well",
    )
    parser.add_argument(
        "--generated",
        action="append",
        metavar="SPEAKER",
        help="search only the turns of this speaker or role, such as assistant; repeatable; default: all turns",
    )
    parser.add_argument(
        "--at-most",
        type=share,
        metavar="SHARE",
        help="end with 3 if the share of outputs with findings may be above this, with 95 %% confidence",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="write every figure there, and the ids of outputs with findings"
    )
    add_json(parser)
    add_measuring(parser)


def _masked_lm(parser: Parser) -> None:
    verbs = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
    convert = verbs.add_parser("convert", help="write a Hugging Face model that fills masks as ONNX")
    convert.add_argument("model", type=Path, metavar="MODEL", help="folder of the model")
    convert.add_argument("target", type=Path, metavar="NEW_FOLDER", help="folder to write")
    tune = verbs.add_parser("tune", help="choose the thresholds, by language, on annotated conversations")
    tune.add_argument("model", metavar="MODEL", help="folder of the model, converted")
    tune.add_argument("gold", type=Path, nargs="+", metavar="GOLD", help="files of annotated conversations")


def _version(text: str) -> tuple[str, str]:
    name, equals, url = text.partition("=")
    if not (name and equals and url) or "/" in name:
        raise ArgumentTypeError("write NAME=URL, as in tokens=clean/corpus")
    return name, url


USES = {
    "bias": Use(
        "Does a model treat people differently by their names?", "pipelines.lab.bias:judge", _bias, True
    ),
    "leak-scan": Use(
        "Personal data in the outputs of a trained model.", "pipelines.lab.leaks:scan", _leak_scan
    ),
    "canaries": Use(
        "Does a model repeat what it was trained on?", "pipelines.lab.canaries:memorization", _canaries, True
    ),
    "uniqueness": Use(
        "Who would be unique in a population by what is left in a corpus.",
        "pipelines.lab.uniqueness:measure",
        _uniqueness,
    ),
    "contexts": Use(
        "Grade conversations by how unusual the words around their replaced data are.",
        "pipelines.lab.contexts:uniqueness",
        _contexts,
    ),
    "linkability": Use(
        "Does style join conversations of one person?",
        "pipelines.lab.linkability:compare_styles",
        _linkability,
    ),
    "utility": Use(
        "What does anonymisation cost a model that is trained on the corpus?",
        "pipelines.lab.utility:utility",
        _utility,
        True,
    ),
    "audit": Use(
        "Does a synthetic corpus copy its source, and is it like it?",
        "pipelines.lab.audit:audit",
        _audit,
        True,
    ),
    "masked-lm": Use(
        "Convert a masked language model, and choose its thresholds.",
        "pipelines.lab.masked_lm:make",
        _masked_lm,
    ),
}
