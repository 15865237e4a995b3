"""How a command ends: an exit code, and one clear line when something went wrong."""

import logging
import os
import sys
from collections.abc import Callable, Sequence

from transforms.schema.errors import UserError


def guarded(run: Callable[[Sequence[str]], int], argv: Sequence[str]) -> int:
    """Run a command so that no traceback reaches a user.

    A traceback can quote the text it choked on, so it is shown only where ``TACET_DEBUG`` asks for it.
    """
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    for noisy in ("apache_beam", "root"):
        logging.getLogger(noisy).setLevel(logging.ERROR)
    try:
        return run(argv)
    except UserError as error:
        print(f"tacet: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("tacet: stopped; the same command goes on where it stopped", file=sys.stderr)
        return 1
    except Exception as error:
        if os.environ.get("TACET_DEBUG"):
            raise
        print(
            f"tacet: internal error ({type(error).__name__}); set TACET_DEBUG=1 to see where "
            "(a traceback may quote text of your data)",
            file=sys.stderr,
        )
        return 1
