"""Tacenda anonymises conversation corpora for LLM fine-tuning and measures the risk that is left.

``import tacenda`` is cheap: modules are imported when a name is first used. Beam transforms for your own
pipelines are in ``tacenda.beam``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tacenda.anonymizer import Anonymizer, ChatMessage
    from tacenda.config import Config
    from tacenda.pipelines.chain.conversations import Conversations
    from tacenda.pipelines.chain.results import (
        Entity,
        Finding,
        RejectedError,
        Rejection,
        Result,
        Risk,
        RiskTag,
    )
    from tacenda.transforms.schema.errors import UserError
    from tacenda.transforms.schema.likelihood import Likelihood
    from tacenda.transforms.shapes.options import ReadOptions

__all__ = [
    "Anonymizer",
    "ChatMessage",
    "Config",
    "Conversations",
    "Entity",
    "Finding",
    "Likelihood",
    "ReadOptions",
    "RejectedError",
    "Rejection",
    "Result",
    "Risk",
    "RiskTag",
    "UserError",
]

_HOMES = {
    "Anonymizer": "anonymizer",
    "ChatMessage": "anonymizer",
    "Config": "config",
    "Conversations": "pipelines.chain.conversations",
    "Likelihood": "transforms.schema.likelihood",
    "ReadOptions": "transforms.shapes.options",
    "UserError": "transforms.schema.errors",
}
_RESULTS = "pipelines.chain.results"


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tacenda' has no attribute '{name}'")
    value = getattr(import_module(f"tacenda.{_HOMES.get(name, _RESULTS)}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
