"""Other detectors over the same text: run by the interpreter that has them, so that they are no dependencies.

    PEERS_PYTHON tests/benchmarks/peers.py < texts.json

Reads a JSON list of texts and prints, a JSON object a line, the name of each peer, CPU seconds and findings.
Only what each finds by patterns is asked for: no model is loaded. Needs presidio-analyzer, scrubadub, datafog.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version

Find = Callable[[str], int]


def presidio() -> Iterator[tuple[str, Find]]:
    """The English pattern recognisers that Presidio's registry loads by default, without an NLP engine."""
    from presidio_analyzer import PatternRecognizer, RecognizerRegistry

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    several = [r for r in registry.recognizers if isinstance(r, PatternRecognizer)]

    def find(text: str) -> int:
        return sum(len(r.analyze(text, r.supported_entities, None) or ()) for r in several)

    yield f"Presidio {version('presidio-analyzer')}, {len(several)} pattern recognisers", find


def scrubadub() -> Iterator[tuple[str, Find]]:
    """scrubadub's default detectors, which are patterns, in English."""
    import scrubadub

    scrubber = scrubadub.Scrubber(locale="en_US")
    yield (
        f"scrubadub {version('scrubadub')}, default detectors",
        lambda text: sum(1 for _ in scrubber.iter_filth(text)),
    )


def datafog() -> Iterator[tuple[str, Find]]:
    """DataFog's pattern engine."""
    import datafog

    def find(text: str) -> int:
        return len(datafog.scan(text, engine="regex").entities)

    yield f"DataFog {version('datafog')}, patterns", find


def main() -> None:
    """Measure all installed peers."""
    texts = json.load(sys.stdin)
    for peer in (presidio, scrubadub, datafog):
        try:
            several = list(peer())
        except Exception as error:  # the others can still be measured
            print(json.dumps({"name": peer.__name__, "error": type(error).__name__}), flush=True)
            continue
        for name, find in several:
            find("ann@example.org 212-555-0143")  # rules and lists are loaded with the first match
            start = time.process_time()
            findings = sum(map(find, texts))
            seconds = time.process_time() - start
            print(json.dumps({"name": name, "seconds": seconds, "findings": findings}), flush=True)


if __name__ == "__main__":
    main()
