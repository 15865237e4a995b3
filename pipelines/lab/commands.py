"""``tacenda lab``: experiments on models and corpora; loaded by an entry point of the extra ``[lab]``."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path

from tacenda.pipelines.command_line.arguments import (
    Options,
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


def _experiments(parser: Parser, what: Mapping[str, str]) -> list[ArgumentParser]:
    """Parsers of the steps of an experiment, given what each does."""
    verbs = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
    return [verbs.add_parser(name, help=told) for name, told in what.items()]


def _url(parser: Options, name: str, told: str, metavar: str = "URL") -> None:
    parser.add_argument(f"--{name}", required=True, nargs="+", metavar=metavar, help=told)


def _count(parser: Options, name: str, number: int, told: str, metavar: str = "N") -> None:
    parser.add_argument(
        f"--{name}", type=positive, default=number, metavar=metavar, help=f"{told} (%(default)s)"
    )


def _folder(parser: Options) -> None:
    parser.add_argument("--output", required=True, metavar="URL", help="an empty or new folder")
    add_measuring(parser)


def _seed(parser: Options) -> None:
    parser.add_argument("--seed", type=whole_number, default=1, help="seed of what is drawn (1)")


def _speaker(parser: Options, option: str) -> None:
    parser.add_argument(
        option,
        action="append",
        metavar="NAME",
        help="only the turns of this speaker or role, such as assistant; repeatable; default: all turns",
    )


def _bias(parser: Parser) -> None:
    variants, detector, report = _experiments(
        parser,
        {
            "variants": "write each gold conversation with one name in it again, with names of other groups",
            "detector": "try our own detectors on such variants, without writing them",
            "report": "recall by group and gender from the predictions of your model on the variants",
        },
    )
    detector.set_defaults(keep=())
    for one in (variants, detector):
        _url(one, "input", "conversations with turns[].spans", "GOLD")
        one.add_argument(
            "--names",
            metavar="FILE",
            help="lists of names by group, or 'origins' for nineteen built-in; default: four built-in groups",
        )
        one.add_argument(
            "--gold-complete",
            action="store_true",
            help="the gold of a record without the field 'gold' is complete",
        )
    variants.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="FIELD",
        help="a field to write unchanged, such as the class to predict; repeatable",
    )
    _folder(variants)
    _url(
        report,
        "predictions",
        "JSON lines, CSV or Parquet with variant_of, group, gender, gold and prediction",
        "FILE",
    )
    detector.add_argument("--config", metavar="FILE", help="YAML or JSON; without it, the defaults")
    add_local_detectors(detector)
    for one in (detector, report):
        add_bootstrap(one)
        add_figures(one)


def _canaries(parser: Parser) -> None:
    plant, exposure = _experiments(
        parser,
        {
            "plant": "write a corpus again with invented sentences in some conversations, to train on",
            "exposure": "from the model's scores of these sentences: how far it memorised them, in bits",
        },
    )
    _url(plant, "input", "the corpus to train on")
    _count(plant, "count", 20, "canaries")
    _count(plant, "copies", 1, "conversations that each is planted in")
    _count(plant, "candidates", 1000, "other sentences to score beside each canary")
    _seed(plant)
    _folder(plant)
    exposure.add_argument(
        "--planted", required=True, metavar="FILE", help="canaries.json, which 'plant' wrote"
    )
    _url(exposure, "scores", "JSON lines, CSV or Parquet with canary, candidate and score, the loss", "FILE")
    add_figures(exposure)


def _audit(parser: Parser) -> None:
    compare, questions, answers = _experiments(
        parser,
        {
            "compare": "copies, diversity and frequencies; ends with 3 if the synthetic corpus has copies",
            "questions": "draw records of both, in random order, for people to answer four questions about",
            "answers": "agreement of two people, by question and origin",
        },
    )
    questions.set_defaults(events=None, tags=None)
    for one in (compare, questions):
        _url(one, "source", "the corpus that the other was made from")
        _url(one, "synthetic", "the synthetic corpus")
        _seed(one)
        _folder(one)
    compare.add_argument(
        "--threshold",
        type=share,
        default=0.9,
        metavar="COSINE",
        help="above it, records are near copies (%(default)s)",
    )
    _count(compare, "samples", 5, "samples of the source")
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
    _count(questions, "count", 100, "records of each")
    answers.add_argument("--key", required=True, metavar="FILE", help="key.json, which 'questions' wrote")
    answers.add_argument("--sheets", required=True, nargs=2, metavar="FILE", help="the sheets of two people")
    for one in (compare, answers):
        add_json(one)


def _utility(parser: Parser) -> None:
    _url(parser, "original", "the corpus before anonymisation")
    parser.add_argument(
        "--anonymized",
        type=_version,
        action="append",
        required=True,
        metavar="NAME=URL",
        help="the same conversations after it, such as tokens=clean/corpus; repeatable",
    )
    _url(parser, "held-out", "other conversations, not anonymised, to judge by")
    parser.add_argument(
        "--task",
        metavar="FIELD",
        help="a field with the class of a conversation: can it still be learnt? When anonymising, keep it with "
        "--keep and --opaque",
    )
    _count(parser, "records", 5000, "conversations of each to use")
    add_bootstrap(parser)
    add_figures(parser)


def _linkability(parser: Parser) -> None:
    add_looking(parser)
    parser.add_argument(
        "--person",
        metavar="FIELD",
        help="a field that is the same for all conversations of a person, such as a customer's number",
    )
    _speaker(parser, "--speaker")
    _count(parser, "people", 2000, "compare a sample of so many people, or conversations without --person")
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
    _seed(parser)
    _count(parser, "conversations", 500, "number of conversations, which are compared with each other")
    add_figures(parser)


def _leak_scan(parser: Parser) -> None:
    add_looking(parser)
    add_local_detectors(parser)
    parser.add_argument(
        "--task",
        metavar="FIELD",
        help="a field that names the task of each output; figures are by task as well",
    )
    _speaker(parser, "--generated")
    parser.add_argument(
        "--at-most",
        type=share,
        metavar="SHARE",
        help="end with 3 if the share of outputs with findings may be above this, with 95 %% confidence",
    )
    add_figures(parser)


def _masked_lm(parser: Parser) -> None:
    convert, tune = _experiments(
        parser,
        {
            "convert": "write a Hugging Face model that fills masks as ONNX",
            "tune": "choose the thresholds, by language, on annotated conversations",
        },
    )
    convert.add_argument("model", type=Path, metavar="MODEL", help="folder of the model")
    convert.add_argument("target", type=Path, metavar="NEW_FOLDER", help="folder to write")
    tune.add_argument("model", metavar="MODEL", help="folder of the model, converted")
    tune.add_argument("gold", type=Path, nargs="+", metavar="GOLD", help="files of annotated conversations")


def _version(text: str) -> tuple[str, str]:
    name, equals, url = text.partition("=")
    if not (name and equals and url) or "/" in name:
        raise ArgumentTypeError("write NAME=URL, as in tokens=clean/corpus")
    return name, url


USES = {
    name: Use(what, f"pipelines.lab.{run}", fill)
    for name, what, run, fill in (
        ("bias", "Does a model treat people differently by their names?", "bias:judge", _bias),
        ("leak-scan", "Personal data in the outputs of a trained model.", "leaks:scan", _leak_scan),
        ("canaries", "Does a model repeat what it was trained on?", "canaries:memorization", _canaries),
        (
            "uniqueness",
            "Who would be unique in a population by what is left in a corpus.",
            "uniqueness:measure",
            _uniqueness,
        ),
        (
            "contexts",
            "Grade conversations by how unusual the words around their replaced data are.",
            "contexts:uniqueness",
            _contexts,
        ),
        (
            "linkability",
            "Does style join conversations of one person?",
            "linkability:compare_styles",
            _linkability,
        ),
        (
            "utility",
            "What does anonymisation cost a model that is trained on the corpus?",
            "utility:utility",
            _utility,
        ),
        ("audit", "Does a synthetic corpus copy its source, and is it like it?", "audit:audit", _audit),
        (
            "masked-lm",
            "Convert a masked language model, and choose its thresholds.",
            "masked_lm:make",
            _masked_lm,
        ),
    )
}
