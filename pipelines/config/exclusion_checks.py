"""Reject exclusions by another infoType that some active detector cannot honour."""

from collections.abc import Mapping, Set

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.detecting.names.span import INFO_TYPES as NAMES
from tacenda.transforms.detecting.settings import Exclusion, InspectSettings, Matching


def reject_unsupported_exclusions(
    document: ConfigDocument, settings: InspectSettings, finding: Mapping[str, Set[str]]
) -> None:
    """Reject an exclusion by an infoType that detectors other than the rules find.

    Every detector knows the findings of the rules, but not those of other detectors. An inverse match would
    therefore drop findings inside what another detector found, leaving personal data readable. Exclusions by
    names are rejected for every matching type, since the rules find few names.

    Args:
        document: the config, for the position of the exclusion.
        settings: the same config as settings.
        finding: infoTypes that each detector finds by means other than rules.

    Raises:
        UserError: an exclusion refers to such an infoType.
    """
    for i, rule_set in enumerate(settings.rule_sets):
        for k, rule in enumerate(rule_set.rules):
            for name in _in_question(rule):
                by = [detector for detector, known in finding.items() if name in known]
                if by:
                    place = f"inspect.rule_set[{i}].rules[{k}].exclusion_rule.exclude_info_types"
                    raise document.error(
                        place,
                        f"only {' and '.join(by)} can find {name}; other detectors cannot exclude by it; "
                        "use one --detector, or drop it",
                    )


def _in_question(rule: object) -> tuple[str, ...]:
    """The infoTypes of an exclusion for which all findings must be known."""
    if not isinstance(rule, Exclusion):
        return ()
    inverse = rule.matching is Matching.INVERSE
    return tuple(name for name in rule.info_types if inverse or name in NAMES)
