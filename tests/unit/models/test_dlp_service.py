"""Which endpoints may be talked to."""

import pytest

from models.dlp_service import check_endpoint
from transforms.schema.errors import UserError


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
