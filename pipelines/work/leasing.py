"""The lease on an output folder: only one run at a time may write there, on any machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.pipelines.work.receipts import LEASE, WORK_FOLDER, remove_work_folder, withdraw
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage import lease as leases
from tacenda.transforms.storage.opening import StorageError


@contextmanager
def leased(job: JobSettings, *, ends_with_driver: bool) -> Iterator[JobSettings]:
    """Hold a lease on the output folder during the block; yields the job with its lease.

    If the job continues without this process, the lease stays, and the workers renew it.

    Raises:
        UserError: another run holds the lease.
    """
    what = f"{job.command}, run {job.identity.fingerprint[:16]}"
    with told_of(f"--output {job.output}"):
        lease = leases.acquire(_url(job), what, ends_with_process=ends_with_driver)
    goes_on = False
    try:
        yield replace(job, lease=lease)
    except RunFailedError as error:
        goes_on = error.goes_on
        if not error.began:
            withdraw(job)
        raise
    except KeyboardInterrupt:
        goes_on = not ends_with_driver
        raise
    else:
        leases.release(lease)
        remove_work_folder(job.output)
    finally:
        if not goes_on:
            leases.release(lease)


def refuse_held(job: JobSettings) -> None:
    """Check that no other run holds the output folder, without changing anything.

    Raises:
        UserError: another run holds it.
    """
    with told_of(f"--output {job.output}"):
        leases.refuse_held(_url(job))


def _url(job: JobSettings) -> str:
    return f"{job.output}/{WORK_FOLDER}/{LEASE}"


@contextmanager
def told_of(folder: str) -> Iterator[None]:
    """Say of which folder an error in the block is, as a UserError; ``folder`` is what messages call it."""
    try:
        yield
    except StorageError:
        raise
    except UserError as error:
        raise UserError(f"{folder}: {error}") from None
    except OSError as error:
        raise UserError(
            f"{folder}: cannot be used ({type(error).__name__}); check the path and its permissions"
        ) from None
