"""Client for Google Sensitive Data Protection (Cloud DLP): one call, its retries, its error classes."""

import os
import threading
from typing import Any
from urllib.parse import urlsplit

from tacenda.models.unavailable import DetectorUnavailableError
from tacenda.transforms.schema.errors import RecordError, UserError

DETECTOR = "cloud_dlp"

LOOPBACK = ("localhost", "127.0.0.1", "::1")

_RECORD_ERRORS = {
    "InvalidArgument": "CloudDlpInvalidArgument",
    "OutOfRange": "CloudDlpOutOfRange",
    "InternalServerError": "CloudDlpInternal",
    "Unknown": "CloudDlpUnknown",
    "DataLoss": "CloudDlpDataLoss",
}
"""Errors that a single text can cause; it is retried alone before it is quarantined."""


class DlpService:
    """``projects.locations.content.inspect``, retried with exponential backoff while the service is busy.

    Args:
        endpoint: a host of the service, such as ``dlp.europe-west1.rep.googleapis.com``; None for the global
            one. ``http://localhost:PORT`` is unencrypted and without credentials, for this machine only.
        request_timeout_s: limit for one attempt.
        total_timeout_s: limit for all attempts at one request together.
        first_wait_s: wait before the second attempt; it doubles each time, up to a minute.
    """

    def __init__(
        self, endpoint: str | None, request_timeout_s: float, total_timeout_s: float, first_wait_s: float
    ) -> None:
        self._endpoint = endpoint
        self._request_timeout_s = request_timeout_s
        self._total_timeout_s = total_timeout_s
        self._first_wait_s = first_wait_s
        self._lock = threading.Lock()
        self._client: Any = None
        self._process = 0

    def inspect(self, request: Any) -> Any:
        """Send an ``InspectContentRequest`` (protobuf); returns its ``InspectResult`` (protobuf).

        Raises:
            RecordError: the service cannot process this request.
            DetectorUnavailableError: it denies access, or was busy for ``total_timeout_s``.
        """
        result, error = self._inspect(request)
        if error is None:
            return result
        # Raised outside the handler: the service's message may quote the request and must not be chained.
        kind = type(error).__name__
        if kind in _RECORD_ERRORS:
            raise RecordError(_RECORD_ERRORS[kind])
        raise DetectorUnavailableError(DETECTOR, kind)

    def explain(self, request: Any) -> None:
        """Send a request without conversations and translate the service's errors for the user.

        Raises:
            UserError: the service rejects the request or cannot be reached, with the reason.
        """
        _, error = self._inspect(request)
        kind = type(error).__name__
        where = f"--detector cloud_dlp: {request.parent}"
        if kind == "InvalidArgument":
            raise UserError(f"{where}: the service rejects {_refused_fields(error)}; correct it")
        if error is not None:
            raise UserError(
                f"{where}: {kind}; check the project, the credentials (role DLP User), that the API is "
                "enabled, and the network"
            )

    def _inspect(self, request: Any) -> tuple[Any, Exception | None]:
        """The result, or the error that is left after all attempts."""
        from google.api_core import exceptions
        from google.api_core.retry import Retry, if_exception_type
        from google.auth.exceptions import GoogleAuthError
        from google.cloud import dlp_v2

        wrapped = dlp_v2.InspectContentRequest.wrap(request)
        retry = Retry(
            predicate=if_exception_type(
                exceptions.ResourceExhausted,
                exceptions.ServiceUnavailable,
                exceptions.DeadlineExceeded,
                exceptions.InternalServerError,
            ),
            initial=self._first_wait_s,
            maximum=60,
            multiplier=2,
            timeout=self._total_timeout_s,
        )
        try:
            call = retry(self._connected().inspect_content)
            # The client's own retry would apply a second timeout.
            response = call(request=wrapped, retry=None, timeout=self._request_timeout_s)
        except exceptions.RetryError as error:
            return None, error.cause
        except (exceptions.GoogleAPIError, GoogleAuthError) as error:
            return None, error
        return dlp_v2.InspectContentResponse.pb(response).result, None

    def _connected(self) -> Any:
        """The client of this process; its channel and threads do not survive pickling or a fork."""
        with self._lock:
            if self._client is None or self._process != os.getpid():
                self._client, self._process = _client(self._endpoint), os.getpid()
            return self._client


def check_endpoint(endpoint: str | None) -> None:
    """Reject a malformed endpoint, and any that would send personal data unencrypted.

    Raises:
        UserError: it is one of these.
    """
    if endpoint is None:
        return
    scheme, separator, rest = endpoint.partition("://")
    if not separator and endpoint and "/" not in endpoint:
        return
    try:
        parts = urlsplit(endpoint)
        plain = scheme == "http" and parts.hostname in LOOPBACK and parts.port and rest == parts.netloc
    except ValueError:
        plain = False
    if not plain:
        raise UserError(
            f"--dlp-endpoint {endpoint}: write HOST or HOST:PORT, or for a test server on this machine "
            "http://localhost:PORT"
        )


def _client(endpoint: str | None) -> Any:
    from google.cloud import dlp_v2

    if endpoint is None:
        return dlp_v2.DlpServiceClient()
    if not endpoint.startswith("http://"):
        return dlp_v2.DlpServiceClient(client_options={"api_endpoint": endpoint})
    import grpc
    from google.cloud.dlp_v2.services.dlp_service.transports import DlpServiceGrpcTransport

    unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    channel = grpc.insecure_channel(endpoint.removeprefix("http://"), options=unlimited)
    return dlp_v2.DlpServiceClient(transport=DlpServiceGrpcTransport(channel=channel))


def _refused_fields(error: Any) -> str:
    """The fields that the service names; its message could quote a word of a dictionary."""
    named = [v.field for detail in error.details for v in getattr(detail, "field_violations", ())]
    return f"the inspect config ({', '.join(named)})" if named else "the inspect config"
