"""A fake of Google Sensitive Data Protection: a local gRPC server with its protocol."""

import re
import threading
from collections.abc import Iterator
from concurrent import futures
from contextlib import contextmanager
from typing import Any

import grpc
from google.cloud import dlp_v2

Request = dlp_v2.InspectContentRequest.pb()
Response = dlp_v2.InspectContentResponse.pb()


class FakeDlp:
    """Finds by regular expression, remembers what it was asked, and fails when told to.

    ``patterns`` maps an infoType to a regex and the number of its likelihood. ``failures`` are status codes of
    the next calls, in order; ``fails_on`` fails every request that holds a text. Of more findings than ``most``
    so many come back.
    """

    def __init__(self) -> None:
        self.patterns: dict[str, tuple[str, int]] = {
            "EMAIL_ADDRESS": (r"[\w.]+@[\w.]+\w", 4),
            "PERSON_NAME": (r"\b(?:Zoë|Pam|José Núñez)\b", 4),
            "LOCATION": (r"\bScranton\b", 2),
        }
        self.failures: list[grpc.StatusCode] = []
        self.fails_on: dict[str, grpc.StatusCode] = {}
        self.most: int | None = None
        self.edit: Any = None
        self.requests: list[Any] = []
        self.sizes: list[int] = []
        self.endpoint = ""
        self._lock = threading.Lock()

    def rows(self) -> list[list[str]]:
        """The texts of each request, answered or refused."""
        return [[row.values[0].string_value for row in r.item.table.rows] for r in self.requests]

    def parse(self, data: bytes) -> Any:
        with self._lock:
            self.sizes.append(len(data))
        return Request.FromString(data)

    def inspect(self, request: Any, context: grpc.ServicerContext) -> Any:
        texts = [row.values[0].string_value for row in request.item.table.rows]
        with self._lock:
            self.requests.append(request)
            failure = self.failures.pop(0) if self.failures else None
        for part, code in self.fails_on.items():
            if any(part in text for text in texts):
                failure = code
        if failure is not None:
            # The real service quotes what it chokes on, and so does this one.
            context.abort(failure, f"cannot process: {texts}")
        response = Response()
        wanted = {t.name for t in request.inspect_config.info_types}
        for index, text in enumerate(texts):
            for name, (pattern, likelihood) in self.patterns.items():
                if name in wanted and likelihood >= (request.inspect_config.min_likelihood or 3):
                    for match in re.finditer(pattern, text):
                        _add(response.result, name, likelihood, index, text, match)
        if self.most is not None and len(response.result.findings) > self.most:
            del response.result.findings[self.most :]
            response.result.findings_truncated = True
        if self.edit is not None:
            self.edit(response.result)
        return response


def _add(result: Any, name: str, likelihood: int, row: int, text: str, match: re.Match[str]) -> None:
    finding = result.findings.add(likelihood=likelihood)
    finding.info_type.name = name
    place = finding.location
    place.codepoint_range.start, place.codepoint_range.end = match.span()
    place.byte_range.start = len(text[: match.start()].encode())
    place.byte_range.end = len(text[: match.end()].encode())
    location = place.content_locations.add().record_location
    location.field_id.name = "text"
    location.table_location.row_index = row


@contextmanager
def running() -> Iterator[FakeDlp]:
    """A running server on a free local port, at ``endpoint``."""
    fake = FakeDlp()
    server = grpc.server(futures.ThreadPoolExecutor(4), options=[("grpc.max_receive_message_length", -1)])
    handler = grpc.unary_unary_rpc_method_handler(
        lambda request, context: fake.inspect(request, context),
        request_deserializer=fake.parse,
        response_serializer=lambda response: response.SerializeToString(),
    )
    service = "google.privacy.dlp.v2.DlpService"
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {"InspectContent": handler}),)
    )
    port = server.add_insecure_port("localhost:0")
    server.start()
    fake.endpoint = f"http://localhost:{port}"
    yield fake
    server.stop(grace=None).wait()
