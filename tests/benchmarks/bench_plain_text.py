"""What the default hides of text that names nobody: code, logs, documentation, prose.

    python -m tests.benchmarks.bench_plain_text plain-*.dev.jsonl.gz

The files hold gold conversations that name nobody beyond what is annotated. Of each file: the share of letters and
digits hidden outside of gold; of that, what is hidden as a place or an organisation, which these files do not mark and
which mostly are some; and the false findings by 10,000 characters, by infoType. Counts and shares only; nothing of the text is printed.
"""

import argparse
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.detectors import build_detectors, detector_settings
from tacenda.pipelines.config.document import load_config
from tacenda.transforms.detecting.mention_rules import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.evaluating.gold_reading import plan_gold, read_gold
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.files import absolute

UNMARKED = frozenset({"LOCATION", "ORGANIZATION_NAME"})
"""What these files name and do not mark."""
PART_BYTES = 8 << 20


@dataclass
class Hidden:
    """Of one file; ``letters`` and ``hidden`` count letters and digits."""

    characters: int = 0
    letters: int = 0
    hidden: Counter[str] = field(default_factory=Counter)
    findings: Counter[str] = field(default_factory=Counter)

    def add(self, text: str, gold: list[tuple[int, int]], findings: list[Finding]) -> None:
        marked = bytearray(len(text))
        for start, end in gold:
            marked[start:end] = b"\1" * (end - start)
        self.characters += len(text)
        self.letters += sum(map(str.isalnum, text))
        for finding in findings:
            own = range(finding.start, finding.end)
            self.hidden[finding.info_type] += sum(text[i].isalnum() and not marked[i] for i in own)
            self.findings[finding.info_type] += not any(marked[finding.start : finding.end])

    def percent(self, without: frozenset[str] = frozenset()) -> float:
        return 100 * sum(n for name, n in self.hidden.items() if name not in without) / max(self.letters, 1)

    def false(self, info_type: str | None = None) -> float:
        """False findings by 10,000 characters."""
        count = self.findings.total() if info_type is None else self.findings[info_type]
        return 1e4 * count / max(self.characters, 1)


def measure(path: Path, chain: Chain) -> Hidden:
    whole = Hidden()
    plan = plan_gold([absolute(str(path))], PART_BYTES)
    for part in plan.parts:
        for gold in read_gold(part, plan.shape, gold_labels()):
            outcome = chain.run(gold.batch)
            _add(whole, outcome.batch, outcome.findings)
    return whole


def _add(whole: Hidden, batch: ConversationBatch, findings: list[list[Finding]]) -> None:
    for cell, text in enumerate(batch.texts):
        whole.add(text, [(span[0], span[1]) for span in batch.spans[cell]], findings[cell])


def default_chain() -> Chain:
    settings = detector_settings(load_config(None), argparse.Namespace())
    detectors = build_detectors(settings.names, settings.rules, None, settings.models)
    rules = MentionRules(settings.rules)
    return Chain(detectors, ranks(), mention_rules=rules)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold", type=Path, nargs="+")
    arguments = parser.parse_args()
    chain = default_chain()
    print(f"{'text':<14}{'hidden':>9}{'less places':>13}{'false/10k':>11}")
    for path in arguments.gold:
        hidden, name = measure(path, chain), path.name.split(".")[0]
        print(
            f"{name:<14}{hidden.percent():>7.2f} %{hidden.percent(UNMARKED):>11.2f} %{hidden.false():>11.2f}"
        )
        for info_type, _ in hidden.findings.most_common(8):
            print(f"  {info_type:<32}{hidden.false(info_type):>15.2f}")


if __name__ == "__main__":
    main()
