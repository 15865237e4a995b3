"""From findings to text: fitting, propagation, linking, and each kind of values, beside the rules on the same text.

    python -m tests.benchmarks.bench_replacing [--conversations 400] [--rounds 5] [--figures NAME]

What the default chain gives each step is caught in one run over sample calls, and each step runs again on it.
"""

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any
from unittest.mock import patch

from tacenda import Anonymizer
from tacenda.pipelines.chain import chain
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Replacer, replace_conversation
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.text.column import TextColumn
from tests.benchmarks.figures import Figure, add_flag, report
from tests.benchmarks.rounds import Spread, alternate, cpu_seconds, speed

STEPS = {
    "fit_conversation": "fitting",
    "find_mentions": "propagation",
    "link_conversation": "linking",
}


class Caught:
    """Wraps a function and records the arguments of all its calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.calls: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any) -> Any:
        self.calls.append(arguments)
        return self._function(*arguments)

    def again(self) -> None:
        for arguments in self.calls:
            self._function(*arguments)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    add_flag(parser)
    arguments = parser.parse_args()
    talks = [conversation["turns"] for conversation in conversations(1, 0, arguments.conversations)]
    caught = {name: Caught(getattr(chain, name)) for name in STEPS}
    with ExitStack() as stack:
        for name, function in caught.items():
            stack.enter_context(patch.object(chain, name, function))
        anonymizer = Anonymizer()
        for number, turns in enumerate(talks):
            spoken = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]
            anonymizer.anonymize({"conversation_id": f"c{number}", "turns": spoken})
    linked = [chain.link_conversation(*call) for call in caught["link_conversation"].calls]
    texts = [turn["text"] for turns in talks for turn in turns]
    first_cell = [0]
    for turns in talks:
        first_cell.append(first_cell[-1] + len(turns))
    rules = RulesDetector(parse_inspect_config({}), None)
    stages: dict[str, Callable[[], Any]] = {
        "rules": lambda: rules.find(TextColumn(texts, first_cell)),
        **{STEPS[name]: function.again for name, function in caught.items()},
        "tokens": partial(_replaced, TokenReplacer(), linked),
        "surrogates": partial(
            _replaced, SurrogateReplacer(b"a secret of this benchmark, not of yours"), linked
        ),
    }
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    seconds = alternate(stages, arguments.rounds, cpu_seconds)
    figures = [
        Figure(
            name, "sample calls", "MB/s", speed(megabytes, taken), "rules", _times(taken, seconds["rules"])
        )
        for name, taken in seconds.items()
    ]
    for values in ("tokens", "surrogates"):
        both = [link + value for link, value in zip(seconds["linking"], seconds[values], strict=True)]
        figures.append(
            Figure(
                f"linking and {values}",
                "sample calls",
                "MB/s",
                speed(megabytes, both),
                "rules",
                _times(both, seconds["rules"]),
            )
        )
    report(figures, arguments.rounds, arguments.figures)


def _times(taken: list[float], baseline: list[float]) -> Spread:
    return Spread.of([base / one for one, base in zip(taken, baseline, strict=True)])


def _replaced(replacer: Replacer, conversations: list[LinkedConversation]) -> None:
    for conversation in conversations:
        replace_conversation(conversation, replacer.values(conversation))


if __name__ == "__main__":
    main()
