"""Models in a stage of their own, on other machines than the rules: a handler for Beam's ``RunInference``.

A job without such a stage runs the same detectors inside its fused chain, where a batch of conversations is
read, searched, replaced and written without leaving its worker: ``RunInference`` between these steps hands
whole batches over, and pays where the model wants a GPU that the rules do not.

Beam's own handlers are not used. Those for Hugging Face need TensorFlow and a class that transformers no longer
has; the one for ONNX feeds a single input of arrays of equal size. Here an element is batches of conversations
already, so that the detector packs its tokens by length and answers for each cell.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apache_beam as beam
from apache_beam.ml.inference.base import KeyedModelHandler, ModelHandler, RunInference

from tacenda.models.detection import DetectionRequest, DetectionResult, detect
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.settings import InspectSettings

NAMESPACE = "tacenda_model"

Requests = tuple[DetectionRequest, ...]
Results = tuple[DetectionResult, ...]


class TokenClassifierHandler(ModelHandler):  # type: ignore[misc]
    """A token classifier as a model of Beam's: requests in, results out, in their order.

    The network is loaded where it is asked, once a process. What it cannot process comes back as an error class
    in its result; nothing is raised with text in it, and nothing of a batch is lost for one bad conversation.

    Args:
        rules: which infoTypes are asked for, from which likelihood on, with which rules.
        model: the package, and how it decides.
    """

    def __init__(self, rules: InspectSettings, model: ModelSettings) -> None:
        super().__init__()
        self._rules = rules
        self._model = model

    def load_model(self) -> Detector:
        """Load the network, on a worker."""
        return TokenClassifierDetector(self._rules, self._model)

    def run_inference(
        self, batch: Sequence[Requests], model: Detector, inference_args: dict[str, Any] | None = None
    ) -> Iterable[Results]:
        """Run each request by itself."""
        return [tuple(detect(model, request) for request in requests) for requests in batch]

    def get_num_bytes(self, batch: Sequence[Requests]) -> int:
        """Code points of the text; Beam's own way is to pickle every batch once more and measure that."""
        return sum(request.column.size for requests in batch for request in requests)

    def batch_elements_kwargs(self) -> Mapping[str, Any]:
        """One element a batch: it holds batches, and what shares a call must not depend on time."""
        return {"min_batch_size": 1, "max_batch_size": 1}

    def get_metrics_namespace(self) -> str:
        """Where Beam counts inferences and their latency."""
        return NAMESPACE


class AskModel(beam.PTransform):  # type: ignore[misc]
    """(Anything, requests) to (the same thing, results) by one model.

    Args:
        rules: as of ``TokenClassifierHandler``.
        model: as there.
        hints: Beam's resource hints for the machines of this stage, as ``accelerator`` or ``min_ram``.
    """

    def __init__(self, rules: InspectSettings, model: ModelSettings, hints: Mapping[str, str]) -> None:
        super().__init__()
        self._handler = TokenClassifierHandler(rules, model)
        self._hints = dict(hints)

    def expand(self, asked: beam.PCollection) -> beam.PCollection:
        return asked | "Infer" >> RunInference(KeyedModelHandler(self._handler)).with_resource_hints(
            **self._hints
        )
