"""The ``deidentify`` section, a DLP DeidentifyConfig: which of it is honoured, and which refused."""

from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.detecting.message_fields import check_fields
from tacenda.transforms.schema.errors import UserError

_SECTION = "deidentify"
_DONE = "replace_with_info_type_config"
_INSTEAD = "leave it out and get [TYPE_n] tokens"


def check_deidentify(document: ConfigDocument) -> list[str]:
    """Check the section, and return one line for each part of it that has no effect.

    All findings are replaced by numbered tokens, ``[PERSON_NAME_1]``. That is what a transformation with
    ``replace_with_info_type_config`` asks for; any other is not built and refused by its name.

    Raises:
        UserError: it is no DeidentifyConfig, or asks for what is not built.
    """
    section = document.section(_SECTION)
    if not section:
        return []
    from google.cloud import dlp_v2
    from google.protobuf import json_format

    message = dlp_v2.DeidentifyConfig.pb()()
    try:
        check_fields(section, message.DESCRIPTOR, _SECTION)
    except UserError as error:
        raise document.located(error) from None
    try:
        json_format.ParseDict(section, message)
    except (json_format.ParseError, TypeError, AttributeError, ValueError):
        raise document.error(
            _SECTION, "a number, date or time in it has no valid form; mend or drop it"
        ) from None
    kind = message.WhichOneof("transformation")
    if kind not in (None, "info_type_transformations"):
        raise document.error(f"{_SECTION}.{kind}", f"is not built; {_INSTEAD}")
    if message.transformation_error_handling.WhichOneof("mode") == "leave_untransformed":
        raise document.error(
            f"{_SECTION}.transformation_error_handling.leave_untransformed",
            "would leave personal data readable; drop it",
        )
    notes: list[str] = []
    for i, transformation in enumerate(message.info_type_transformations.transformations):
        notes += _check_transformation(document, transformation, i)
    return notes


def _check_transformation(document: ConfigDocument, transformation: Any, i: int) -> list[str]:
    place = f"{_SECTION}.info_type_transformations.transformations[{i}]"
    how = transformation.primitive_transformation.WhichOneof("transformation")
    if how != _DONE:
        asked = f"{place}.primitive_transformation{f'.{how}' if how else ''}"
        raise document.error(asked, f"{'is not built' if how else 'is missing'}; {_INSTEAD}")
    if transformation.info_types:
        return [f"{place}.info_types has no effect: all findings are replaced, of whichever infoType"]
    return []
