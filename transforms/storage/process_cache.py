"""What a process keeps: objects built once for all its threads, and what words and names were found to be."""

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from threading import RLock
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED = 4_096
"""Results that a function of a word, name or number keeps: those of a conversation, and of frequent words.
Sixteen times as many took 120 MB more in each process after 370,000 turns, and saved hardly any time."""

remembered = lru_cache(maxsize=REMEMBERED)  # cache a function of text that repeats


def built_once_for(most: int | None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Cache the last ``most`` results of a function, each built by one thread, while others wait for it.

    ``functools.cache`` does not guarantee that: two threads may both build and get different objects. It is
    still the right choice for plain values.
    """

    def decorate(build: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=most)(build)
        # Reentrant, since one language's lexicon may be built from another's.
        one_at_a_time = RLock()

        @wraps(build)
        def waiting(*args: P.args, **kwargs: P.kwargs) -> T:
            with one_at_a_time:
                return kept(*args, **kwargs)  # type: ignore[arg-type]

        vars(waiting)["cache_clear"] = kept.cache_clear
        return waiting

    return decorate


def built_once(build: Callable[P, T]) -> Callable[P, T]:
    """Cache a function's results for the life of the process."""
    return cast(Callable[P, T], cache(built_once_for(None)(build)))  # which answers in C once it was built
