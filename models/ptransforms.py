"""Models in a stage of their own, on other machines than the rules: a handler for Beam's ``RunInference``.

By default a job runs its detectors in the fused chain, where a batch of conversations is read, searched,
replaced and written on one worker. A ``RunInference`` stage in between has to move whole batches, and pays
off only when the model needs a GPU and the rules do not.

Beam's own handlers do not fit: those for Hugging Face need TensorFlow and a class that transformers has
dropped; the one for ONNX feeds a single input of arrays of equal size. Here an element is already a batch of
conversations, whose tokens the detector packs by length.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apache_beam as beam
from apache_beam.ml.inference.base import KeyedModelHandler, ModelHandler, RunInference

from tacenda.models.detection import DetectionRequest, DetectionResult, detect_all, with_truecasing
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.settings import InspectSettings

NAMESPACE = "tacenda_model"

Requests = tuple[DetectionRequest, ...]
Results = tuple[DetectionResult, ...]


class TokenClassifierHandler(ModelHandler):  # type: ignore[misc]
    """Beam model handler for a token classifier: requests in, results out, in the same order.

    The network is loaded once a process, on the worker. Conversations that it cannot process are reported as
    an error class in the result; no exception carries text, and one bad conversation does not fail its batch.

    Args:
        rules: infoTypes to find, with their thresholds and rules.
        model: the package and its decoding settings.
    """

    def __init__(self, rules: InspectSettings, model: ModelSettings) -> None:
        super().__init__()
        self._rules = rules
        self._model = model

    def load_model(self) -> Detector:
        """Load the network on the worker."""
        return with_truecasing(TokenClassifierDetector(self._rules, self._model), self._model)

    def run_inference(
        self, batch: Sequence[Requests], model: Detector, inference_args: dict[str, Any] | None = None
    ) -> Iterable[Results]:
        """Run each request separately."""
        return [tuple(detect_all([model], *request)[0] for request in requests) for requests in batch]

    def get_num_bytes(self, batch: Sequence[Requests]) -> int:
        """Size in code points; Beam's default would pickle every batch once more to measure it."""
        return sum(request.column.size for requests in batch for request in requests)

    def batch_elements_kwargs(self) -> Mapping[str, Any]:
        """One element a batch: elements are batches already, and batching must not depend on timing."""
        return {"min_batch_size": 1, "max_batch_size": 1}

    def get_metrics_namespace(self) -> str:
        """Namespace of Beam's metrics for inference counts and latency."""
        return NAMESPACE


class AskModel(beam.PTransform):  # type: ignore[misc]
    """Run one model on (key, requests) pairs; returns (key, results).

    Args:
        rules: as for ``TokenClassifierHandler``.
        model: as for ``TokenClassifierHandler``.
        hints: Beam resource hints for the machines of this stage, such as ``accelerator`` or ``min_ram``.
    """

    def __init__(self, rules: InspectSettings, model: ModelSettings, hints: Mapping[str, str]) -> None:
        super().__init__()
        self._handler = TokenClassifierHandler(rules, model)
        self._hints = dict(hints)

    def expand(self, asked: beam.PCollection) -> beam.PCollection:
        return asked | "Infer" >> RunInference(KeyedModelHandler(self._handler)).with_resource_hints(
            **self._hints
        )
