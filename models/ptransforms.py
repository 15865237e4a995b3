"""Detectors in anybody's Beam pipeline: a model handler for ``RunInference``, and a transform around it.

The job itself does without: it runs the same detectors inside its one fused chain, where a batch of
conversations is read, searched, replaced and written in one call. ``RunInference`` between these steps would
turn one call into several with whole batches handed over between them, and win nothing: it batches elements by
their count as they arrive, and a batch of ours is full already.

Beam's own handlers are not used. Those for Hugging Face need TensorFlow and a class that transformers no longer
has; the one for ONNX feeds a single input of arrays of equal size. Here an element is a batch of conversations
already, so that the detector packs its tokens by length and answers for each cell; batches have one element.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import apache_beam as beam
from apache_beam.ml.inference.base import ModelHandler, RunInference

from tacenda.models.detection import DetectionRequest, DetectionResult, detect
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.transforms.detecting.detector import Detector

NAMESPACE = "tacenda_detector"


class DetectorHandler(ModelHandler):  # type: ignore[misc]
    """Any picklable detector as a model: questions in, answers out, in their order.

    Whatever a detector cannot process comes back as an error class in its result; nothing is raised with text
    in it, and nothing of a batch is lost for one bad conversation. Beam keeps one detector a process, and all
    detectors of a process share one network (``token_classifier.loading``).
    """

    def __init__(self, detector: Detector) -> None:
        super().__init__()
        self._detector = detector

    def load_model(self) -> Detector:
        """The detector, which was built again where this handler was unpickled."""
        return self._detector

    def run_inference(
        self, batch: Sequence[DetectionRequest], model: Detector, inference_args: dict[str, Any] | None = None
    ) -> Iterable[DetectionResult]:
        """DetectionResult each request by itself."""
        return [detect(model, request) for request in batch]

    def get_num_bytes(self, batch: Sequence[DetectionRequest]) -> int:
        """Code points of the text; Beam's own way is to pickle every batch once more and measure that."""
        return sum(request.size() for request in batch)

    def batch_elements_kwargs(self) -> Mapping[str, Any]:
        """One request a batch: it is a batch, and what shares it must not depend on time."""
        return {"min_batch_size": 1, "max_batch_size": 1}

    def get_metrics_namespace(self) -> str:
        """Where Beam counts inferences and their latency."""
        return NAMESPACE


class FindPersonalData(beam.PTransform):  # type: ignore[misc]
    """Questions to answers by a detector, such as :class:`TokenClassifierDetector`.

    >>> questions | FindPersonalData(TokenClassifierDetector(inspect, model))  # doctest: +SKIP
    """

    def __init__(self, detector: Detector | TokenClassifierDetector) -> None:
        super().__init__()
        self._handler = DetectorHandler(detector)

    def expand(self, questions: beam.PCollection) -> beam.PCollection:
        return questions | "Find" >> RunInference(self._handler)
