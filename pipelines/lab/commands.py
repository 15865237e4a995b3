"""``tacenda lab``: experiments on models and corpora; loaded by an entry point of the extra ``[lab]``."""

from tacenda.pipelines.uses import uses_of

USES = uses_of("lab", __package__)
