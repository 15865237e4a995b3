"""Scripts for shell completion of commands, options and values.

They are generated from the commands' parsers and do not start Python when they are used.
"""

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tacenda.pipelines.commands import COMMANDS

_FILES = frozenset({"FILE", "URL", "PATH", "GOLD", "FOLDER", "CONFIG", "CHECKPOINT"})
"""Metavars of values that are paths or URLs."""

_ALONE = {"--help": "list the commands", "--version": "print the version"}
"""Options without a command."""


class Option(NamedTuple):
    """One option of a command; ``values`` are its choices, if it has any."""

    flag: str
    what: str
    takes_value: bool
    values: tuple[str, ...]
    is_place: bool


def options_of(parser: argparse.ArgumentParser) -> Iterator[Option]:
    """The options of a command and of its subcommands, each once, by its longest name."""
    seen = set()
    for option in _options_of(parser):
        if option.flag not in seen:
            seen.add(option.flag)
            yield option


def _options_of(parser: argparse.ArgumentParser) -> Iterator[Option]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for subcommand in action.choices.values():
                yield from _options_of(subcommand)
        if action.option_strings and action.help is not argparse.SUPPRESS:
            what = " ".join(parser._get_formatter()._expand_help(action).split()) if action.help else ""
            place = action.metavar in _FILES
            values = tuple(map(str, action.choices or ()))
            yield Option(max(action.option_strings, key=len), what, action.nargs != 0, values, place)


def values_of(parser: argparse.ArgumentParser) -> tuple[str, ...]:
    """Choices of a command's positional arguments."""
    positional = (a for a in parser._actions if not a.option_strings)
    return tuple(str(value) for action in positional for value in action.choices or ())


def _bash() -> str:
    of_command, of_value = [], []
    for name, command in COMMANDS.items():
        parser = command.parser()
        words = [*(option.flag for option in options_of(parser)), *values_of(parser)]
        of_command.append(f"        {name}) words='{' '.join(words)}' ;;")
        for option in options_of(parser):
            if option.values:
                of_value.append(f"        '{name} {option.flag}') words='{' '.join(option.values)}' ;;")
            elif option.takes_value:
                of_value.append(f"        '{name} {option.flag}') words='' ;;")
    return "\n".join(
        [
            "# bash completion for tacenda",
            "_tacenda() {",
            '    local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words',
            '    case "${COMP_WORDS[1]}" in',
            *of_command,
            "        *) words='' ;;",
            "    esac",
            '    case "${COMP_WORDS[1]} $before" in',
            *of_value,
            "    esac",
            f"    [ \"$COMP_CWORD\" -eq 1 ] && words='{' '.join((*COMMANDS, *_ALONE))}'",
            '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
            '    [ ${#COMPREPLY[@]} -eq 0 ] && [[ "$current" != -* ]] &&',
            '        COMPREPLY=($(compgen -f -- "$current"))',
            "    return 0",
            "}",
            "complete -o filenames -F _tacenda tacenda",
            "",
        ]
    )


def _zsh() -> str:
    lines = []
    for name, command in COMMANDS.items():
        parser = command.parser()
        specs = [_zsh_option(option) for option in options_of(parser)]
        values = values_of(parser)
        specs.append(f"'*:value:({' '.join(values)})'" if values else "'*:file:_files'")
        lines += [f"        {name})", "            _arguments \\", *_continued(specs), "            ;;"]
    return "\n".join(
        [
            "#compdef tacenda",
            "_tacenda() {",
            "    local -a commands",
            "    commands=(",
            *(f"        '{name}:{_zsh_text(command.what)}'" for name, command in COMMANDS.items()),
            "    )",
            "    if (( CURRENT == 2 )); then",
            "        _describe 'command' commands",
            *(f"        _arguments '{flag}[{what}]'" for flag, what in _ALONE.items()),
            "        return",
            "    fi",
            "    shift words",
            "    (( CURRENT-- ))",
            "    case $words[1] in",
            *lines,
            "    esac",
            "}",
            "# As a file of fpath, this is the first call of the function; otherwise it is sourced.",
            "if [[ $funcstack[1] == _tacenda ]]; then _tacenda; else compdef _tacenda tacenda; fi",
            "",
        ]
    )


def _zsh_option(option: Option) -> str:
    spec = f"{option.flag}[{_zsh_text(option.what)}]"
    if option.takes_value:
        values = f"({' '.join(option.values)})" if option.values else "_files" if option.is_place else ""
        spec += f":value:{values}"
    return f"'*{spec}'"


def _continued(specs: Sequence[str]) -> list[str]:
    *first, last = (f"                {spec}" for spec in specs)
    return [*(f"{spec} \\" for spec in first), last]


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:])", r"\\\1", text).replace("'", "’")


def _fish() -> str:
    begin = "complete -c tacenda -n __fish_use_subcommand -f"
    lines = ["# fish completion for tacenda"]
    for flag, what in _ALONE.items():
        lines.append(f"{begin} -l {flag.lstrip('-')} -d '{what}'")
    for name, command in COMMANDS.items():
        lines.append(f"{begin} -a {name} -d '{_fish_text(command.what)}'")
    for name, command in COMMANDS.items():
        parser = command.parser()
        condition = f"-n '__fish_seen_subcommand_from {name}'"
        for option in options_of(parser):
            value = ""
            if option.takes_value:
                value = " -r" if option.is_place else " -x"
            if option.values:
                value += f" -a '{' '.join(option.values)}'"
            flag = option.flag.lstrip("-")
            lines.append(f"complete -c tacenda {condition} -l {flag}{value} -d '{_fish_text(option.what)}'")
        if values := values_of(parser):
            lines.append(f"complete -c tacenda {condition} -f -a '{' '.join(values)}'")
    return "\n".join([*lines, ""])


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")


SCRIPTS: dict[str, Callable[[], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""What makes the script of each shell."""
