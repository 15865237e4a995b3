"""Reject exclusions by another infoType that some active detector cannot honour."""

from collections.abc import Mapping, Set

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.detecting.names.span import INFO_TYPES as NAMES
from tacenda.transforms.detecting.settings import Exclusion, InspectSettings, Matching


def reject_unsupported_exclusions(
    document: ConfigDocument, settings: InspectSettings, finding: Mapping[str, Set[str]]
) -> None:
    """Refuse an exclusion by an infoType that is found by other means than rules.

    All detectors hear what the rules find of it, and none what another finds by lists, by a model or in the
    cloud. With inverse matching they would take back what lies in such a finding, and personal data would stay
    readable. Of names rules find so few that no matching would do what it says.

    Args:
        document: the config, which says where the exclusion stands.
        settings: the same as settings.
        finding: the infoTypes of each detector that has other means than rules.

    Raises:
        UserError: an exclusion names one of these.
    """
    for i, rule_set in enumerate(settings.rule_sets):
        for k, rule in enumerate(rule_set.rules):
            for name in _in_question(rule):
                by = [detector for detector, known in finding.items() if name in known]
                if by:
                    place = f"inspect.rule_set[{i}].rules[{k}].exclusion_rule.exclude_info_types"
                    raise document.error(
                        place,
                        f"other detectors do not hear which {name} {' and '.join(by)} found; "
                        "use one --detector alone, or drop it",
                    )


def _in_question(rule: object) -> tuple[str, ...]:
    """The infoTypes of which an exclusion has to know all findings."""
    if not isinstance(rule, Exclusion):
        return ()
    inverse = rule.matching is Matching.INVERSE
    return tuple(name for name in rule.info_types if inverse or name in NAMES)
