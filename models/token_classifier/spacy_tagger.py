"""Parts of speech by a trained spaCy pipeline. Needs the extra ``[spacy]``."""

from collections.abc import Sequence
from threading import Lock
from typing import Any

from tacenda.models.token_classifier.spacy_detector import INSTALL, encodable
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once_for

_ASSIGN_TAGS = frozenset({"token.pos", "token.tag"})
_ONE_AT_A_TIME = Lock()
"""All threads share a pipeline, and running it changes its string store and ``max_length``."""


def tags_of_texts(path: str, texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The tag of each token of each text, without white space: the universal one, else the language's own.

    Raises:
        UserError: see :func:`load_tagger`.
    """
    tagger = load_tagger(path)
    with _ONE_AT_A_TIME:
        # spaCy rejects texts longer than max_length.
        tagger.max_length = max(map(len, texts), default=0) + 1
        return [
            tuple(token.pos_ or token.tag_ for token in document if not token.is_space)
            for document in tagger.pipe(map(encodable, texts))
        ]


@built_once_for(1)
def load_tagger(path: str) -> Any:
    """Load the pipeline in a folder, once a process.

    Raises:
        UserError: spaCy is not installed or cannot load the pipeline, or nothing in it tags parts of speech.
    """
    try:
        import spacy
    except ImportError:
        raise UserError(f"--tagger {path}: needs spaCy; mend it with: {INSTALL}") from None
    try:
        pipeline = spacy.load(path)
        assigned = {one for name in pipeline.pipe_names for one in pipeline.get_pipe_meta(name).assigns}
    except Exception as error:  # noqa: BLE001 - components may raise anything
        raise UserError(f"--tagger {path}: spaCy cannot load it ({type(error).__name__})") from None
    if not assigned & _ASSIGN_TAGS:
        raise UserError(f"--tagger {path}: the pipeline has no tagger; choose one that has")
    return pipeline
