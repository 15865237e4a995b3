"""``built_once``: objects that a process builds once for all its threads."""

from collections.abc import Callable
from functools import update_wrapper
from threading import RLock
from typing import Generic, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


class BuiltOnce(Generic[P, T]):
    """A function whose result for some arguments is built by one thread; others that ask meanwhile wait for it.

    ``functools.cache`` does not promise that: two threads that ask at once both build, and may go on with two
    different objects. It stays the right choice for plain values, of which two equal ones are no harm.
    """

    def __init__(self, build: Callable[P, T], most: int | None) -> None:
        self._build = build
        self._most = most
        self._built: dict[object, T] = {}
        # Reentrant, since one language's lexicon may be built out of another's.
        self._one_at_a_time = RLock()
        update_wrapper(cast(Callable[..., T], self), build)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        key: object = (args, *sorted(kwargs.items())) if kwargs else args
        try:
            return self._built[key]  # without the lock: what is there is whole
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
        """Drop everything that was built; for tests."""
        with self._one_at_a_time:
            self._built.clear()


def built_once(build: Callable[P, T]) -> BuiltOnce[P, T]:
    """Decorate a function that builds what lives as long as the process."""
    return BuiltOnce(build, None)


def built_once_for(most: int) -> Callable[[Callable[P, T]], BuiltOnce[P, T]]:
    """The same for results of which only the ``most`` last ones are kept."""
    return lambda build: BuiltOnce(build, most)
