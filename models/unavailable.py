"""The error of a detector that cannot be reached at all; no record is to blame."""


class DetectorUnavailableError(Exception):
    """A service refuses everybody, or did not answer within the time it was given.

    The run must stop and be started again: quarantining every conversation would be no answer. The message is
    ``detector: error class`` and never what the service said, for it may quote what it was asked.
    """

    def __init__(self, detector: str, error: str) -> None:
        super().__init__(f"{detector}: {error}")
        self.detector = detector
        self.error = error

    def __reduce__(self) -> tuple[type["DetectorUnavailableError"], tuple[str, str]]:
        return type(self), (self.detector, self.error)
