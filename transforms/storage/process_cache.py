"""What a process keeps: objects built once for all its threads, and what words and names were found to be."""

from collections.abc import Callable
from functools import cache, lru_cache, update_wrapper
from threading import RLock
from typing import Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")

REMEMBERED = 4_096
"""Results that a function of a word, name or number keeps: those of a conversation, and of frequent words.
Sixteen times as many took 120 MB more in each process after 370,000 turns, and saved hardly any time."""

remembered = lru_cache(maxsize=REMEMBERED)  # cache a function of text that repeats


class BuiltOnce(Generic[P, T]):
    """A cached function whose result is built by one thread, while others wait for it.

    ``functools.cache`` does not guarantee that: two threads may both build and get different objects. It is
    still the right choice for plain values.
    """

    def __init__(self, build: Callable[P, T], most: int | None) -> None:
        self._build = build
        self._most = most
        self._built: dict[object, T] = {}
        # Reentrant, since one language's lexicon may be built from another's.
        self._one_at_a_time = RLock()
        update_wrapper(cast(Callable[..., T], self), build)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        key: object = (args, *sorted(kwargs.items())) if kwargs else args
        try:
            return self._built[key]  # no lock: entries are complete
        except KeyError:
            pass
        with self._one_at_a_time:
            if key not in self._built:
                built = self._build(*args, **kwargs)
                if self._most is not None and len(self._built) >= self._most:
                    del self._built[next(iter(self._built))]
                self._built[key] = built
            return self._built[key]

    def forget(self) -> None:
        """Clear the cache; for tests."""
        with self._one_at_a_time:
            self._built.clear()


def built_once(build: Callable[P, T]) -> Callable[P, T]:
    """Cache a function's results for the life of the process."""
    return cast(Callable[P, T], cache(BuiltOnce(build, None)))  # which answers in C once it was built


def built_once_for(most: int) -> Callable[[Callable[P, T]], BuiltOnce[P, T]]:
    """:func:`built_once` that keeps only the last ``most`` results."""
    return lambda build: BuiltOnce(build, most)
