"""The error of a detector that is unavailable, regardless of the record."""


class DetectorUnavailableError(Exception):
    """A service denies access or did not answer in time.

    The run must stop and be restarted, instead of quarantining every conversation. The message is
    ``detector: error class``; the service's own message may quote the request and is dropped.
    """

    def __init__(self, detector: str, error: str) -> None:
        super().__init__(f"{detector}: {error}")
        self.detector = detector
        self.error = error

    def __reduce__(self) -> tuple[type["DetectorUnavailableError"], tuple[str, str]]:
        return type(self), (self.detector, self.error)
