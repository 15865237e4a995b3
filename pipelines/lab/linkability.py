"""Run ``tacenda lab linkability``: profile the texts of a corpus, part by part, and join them by style."""

from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import batches, plan_with, values_of
from tacenda.pipelines.output.anonymized_folder import open_folder
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.pipelines.work.receipts import CORPUS
from tacenda.transforms.lab.style import LEAST_LETTERS, Styles
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute


def compare_styles(arguments: Namespace) -> int:
    """Compare the texts that the arguments name; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    enter = _entering(arguments)
    person = arguments.person
    fields = {} if person is None else {person: "--person"}
    plan = plan_with(arguments.input, read_options(arguments), "--input", fields)
    speakers = None if arguments.speaker is None else frozenset(arguments.speaker)
    of_part = partial(
        styles_of_part, shape=plan.shape, fields=tuple(fields), speakers=speakers, people=arguments.people
    )
    styles = fold(plan.parts, of_part, Styles.merge, arguments.workers, plan.text_bytes)
    figures = {"by": person, **styles.figures()}
    if not figures["compared"]:
        what = "conversation has" if person is None else "person has two conversations with"
        raise UserError(f"--input: no {what} enough text to compare; each text needs {LEAST_LETTERS} letters")
    if figures["by_chance"] == 1:
        what = "conversation" if person is None else "person"
        raise UserError(
            f"--input: only one {what} has enough text to compare, so it cannot be told whether style joins "
            "its texts; give more conversations"
        )
    give_figures(arguments, figures, _lines(figures))
    if enter is not None:
        enter("linkability", {**figures, "speakers": arguments.speaker})
    return ExitCode.DONE


def _entering(arguments: Namespace) -> Callable[[str, Mapping[str, Any]], None] | None:
    """What enters the figures into an output folder, whose corpus must be what is measured."""
    if arguments.into is None:
        return None
    folder = open_folder(absolute(arguments.into).rstrip("/"))
    if [absolute(url).rstrip("/") for url in arguments.input] != [f"{folder.output}/{CORPUS}"]:
        raise UserError(f"--into: the figures must be of its corpus; give --input {arguments.into}/{CORPUS}")
    # Imported here, so that measuring alone does not wait for the report renderer.
    from tacenda.pipelines.output.change import prepare_entering

    return prepare_entering(folder, arguments.signing_key)


@gc_paused()
def styles_of_part(
    part: Part, shape: Shape, fields: Sequence[str], speakers: frozenset[str] | None, people: int
) -> Styles:
    """Profile the conversations of a part; both halves of each if no field names its person."""
    styles = Styles(people)
    for batch, unreadable in batches(part, shape):
        styles.unreadable += unreadable
        names = values_of(batch, shape, fields)
        for i, conversation in enumerate(batch.ids):
            said = [
                batch.texts[cell]
                for cell in batch.cells(i)
                if speakers is None or batch.speakers[cell] in speakers
            ]
            if not fields:
                half = (len(said) + 1) // 2
                styles.add(conversation, "first", "\n".join(said[:half]))
                styles.add(conversation, "second", "\n".join(said[half:]))
            elif names[i][0] is not None:
                styles.add(str(names[i][0]), conversation, "\n".join(said))
    return styles


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    what, which = ("people", "one conversation") if figures["by"] else ("conversations", "a half")
    low, high = figures["interval"]
    sample = ", a sample" if figures["is_sample"] else ""
    others = figures["texts"] - 1
    yield f"compared   {figures['compared']:,} {what}{sample}: {which} of each with {others:,} other texts"
    yield f"joined     {figures['joined']:,} = {figures['share']:.2%} (95 % interval {low:.2%} to {high:.2%})"
    yield f"by chance  {figures['by_chance']:.2%}"
    if figures["short"]:
        yield f"too short  {counted(figures['short'], 'text')}"
    if figures["unreadable"]:
        yield f"unreadable {counted(figures['unreadable'], 'record')}, not compared"
    if figures["above_chance"]:
        yield "style or topic joins texts of one person more often than chance"
    else:
        yield "style joins texts of one person no more often than chance would; other methods may"
