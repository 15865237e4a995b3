"""The ``entities`` section: what mentions mean, and how far the same token means the same."""

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.laboratory import require_laboratory
from tacenda.pipelines.config.schema import check_section
from tacenda.transforms.linking.settings import RECONCILE, LinkingSettings, Reconcile
from tacenda.transforms.replacing.settings import Scope

_SECTION = "entities"


def linking_settings(document: ConfigDocument) -> LinkingSettings:
    """Parse the part of the section on linking.

    Raises:
        UserError: a setting is invalid.
    """
    check_section(document, _SECTION)
    section = document.section(_SECTION)
    propagate = section.get("propagate")
    reconcile: Reconcile = section.get("reconcile") or "none"
    if reconcile != "none":
        require_laboratory(RECONCILE)
    return LinkingSettings(True if propagate is None else propagate, reconcile)


def token_scope(document: ConfigDocument) -> Scope:
    """Where a token has one meaning.

    Raises:
        UserError: a setting is invalid.
    """
    check_section(document, _SECTION)
    scope: Scope = document.section(_SECTION).get("scope") or "conversation"
    return scope
