"""LinearTagger: how likely each word is a name, a place, a firm or a number, by weights of its features.

Weights are integers of one byte, and scores are sums of them, so they are the same on every processor.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.independent.features import BUCKETS_LOG2
from tacenda.transforms.storage.process_cache import built_once

CLASSES = ("O", "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "GENERIC_ID")
"""Nothing, names, places and addresses, firms, and whatever else identifies: numbers, addresses of mail."""


@dataclass(frozen=True, slots=True)
class LinearTagger:
    """``weights`` (buckets, classes) times ``scale`` are logarithms of odds; ``bias`` is in the same unit.

    ``provenance`` says what it was trained on.
    """

    weights: npt.NDArray[np.int8]
    bias: npt.NDArray[np.int32]
    scale: float
    provenance: Mapping[str, Any]

    def scores(self, buckets: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """The score of each class for each word (words, classes)."""
        scores = np.tile(self.bias, (len(buckets), 1))
        for k in range(buckets.shape[1]):
            scores += self.weights[buckets[:, k]]
        return scores

    def to_bytes(self) -> bytes:
        """The content of a file; equal taggers give equal bytes."""
        described = {"scale": self.scale, "provenance": self.provenance}
        file = BytesIO()
        np.savez_compressed(
            file,
            weights=self.weights,
            bias=self.bias,
            description=np.frombuffer(json.dumps(described, sort_keys=True).encode(), np.uint8),
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> "LinearTagger":
        """A tagger from what ``to_bytes`` returned."""
        with np.load(BytesIO(content), allow_pickle=False) as file:
            described = json.loads(file["description"].tobytes())
            weights = file["weights"].astype(np.int8, casting="equiv")
            return cls(
                weights.reshape(1 << BUCKETS_LOG2, len(CLASSES)),
                file["bias"].astype(np.int32, casting="equiv").reshape(len(CLASSES)),
                float(described["scale"]),
                described["provenance"],
            )


@built_once
def shipped_tagger() -> LinearTagger:
    """The tagger in the package."""
    return LinearTagger.from_bytes(files("tacenda.models.independent").joinpath("weights.npz").read_bytes())
