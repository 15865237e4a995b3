"""The allowed endpoints."""

import pytest

from tacenda.models.cloud_dlp.service import _refused_fields, check_endpoint
from tacenda.transforms.schema.errors import UserError


@pytest.mark.parametrize(
    "endpoint",
    [
        None,
        "dlp.googleapis.com",
        "dlp.me-west1.rep.googleapis.com:443",
        "http://localhost:8080",
        "http://[::1]:1",
    ],
)
def test_hosts_and_test_servers_are_endpoints(endpoint: str | None) -> None:
    check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://dlp.example.org:80",
        "https://dlp.googleapis.com",
        "http://localhost",
        "http://localhost:1/x",
        "http://localhost:x",
        "a/b",
        "http://localhost@example.org:1",
    ],
)
def test_personal_data_never_leaves_this_machine_in_the_clear(endpoint: str) -> None:
    with pytest.raises(UserError, match=r"--dlp-endpoint .*: write HOST"):
        check_endpoint(endpoint)


def test_errors_name_the_fields_of_a_config_but_no_values() -> None:
    from google.api_core.exceptions import InvalidArgument
    from google.rpc.error_details_pb2 import BadRequest, ErrorInfo

    violation = BadRequest.FieldViolation(field="inspect_config.limits", description="Pam is no number")
    details = [ErrorInfo(reason="Pam"), BadRequest(field_violations=[violation])]
    error = InvalidArgument("Pam", details=details)
    assert _refused_fields(error) == "the inspect config (inspect_config.limits)"
    assert _refused_fields(InvalidArgument("Pam")) == "the inspect config"
