import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tacenda.transforms.storage.machine_cache import described, processor
from tacenda.transforms.storage.process_cache import REMEMBERED, built_once, built_once_for, remembered

THREADS = 8


def test_threads_that_ask_at_once_get_one_object() -> None:
    built: list[object] = []

    @built_once
    def table() -> object:
        time.sleep(0.02)  # long enough for the others to come and ask
        built.append(object())
        return built[-1]

    start = threading.Barrier(THREADS)

    def ask(_: int) -> object:
        start.wait()
        return table()

    with ThreadPoolExecutor(THREADS) as pool:
        given = list(pool.map(ask, range(THREADS)))
    assert len(built) == 1
    assert all(one is built[0] for one in given)


def test_results_are_cached_by_arguments() -> None:
    @built_once
    def pair(left: int, right: int = 0) -> list[int]:
        return [left, right]

    assert pair(1) is pair(1)
    assert pair(1, right=2) is pair(1, right=2)
    assert pair(1, right=2) == [1, 2]
    assert pair(2) == [2, 0]


def test_what_fails_is_tried_again() -> None:
    attempts = iter([ValueError("first"), None])

    @built_once
    def built() -> str:
        error = next(attempts)
        if error is not None:
            raise error
        return "built"

    with pytest.raises(ValueError, match="first"):
        built()
    assert built() == "built"


def test_the_oldest_goes_where_there_is_a_bound() -> None:
    built: list[int] = []

    @built_once_for(2)
    def numbered(number: int) -> int:
        built.append(number)
        return number

    for number in (1, 2, 3, 2, 1):
        assert numbered(number) == number
    assert built == [1, 2, 3, 1]


def test_one_result_may_be_built_out_of_another() -> None:
    @built_once
    def factorial(number: int) -> int:
        return number * factorial(number - 1) if number else 1

    assert factorial(5) == 120


def test_the_cache_can_be_cleared() -> None:
    @built_once
    def something() -> object:
        return object()

    before = something()
    something.forget()
    assert something() is not before


def test_only_the_last_results_of_a_function_of_text_are_kept() -> None:
    @remembered
    def doubled(word: str) -> str:
        return word * 2

    for number in range(2 * REMEMBERED):
        assert doubled(str(number)) == str(number) * 2
    assert doubled.cache_info().currsize == REMEMBERED


def test_features_come_in_one_order_and_without_the_rest() -> None:
    cpuinfo = "processor\t: 0\nflags\t\t: fpu avx512f sse fma avx2 avx512_vnni\n\nflags\t: avx2\n"
    assert described("x86_64", cpuinfo) == "x86_64 avx2 fma avx512f avx512_vnni"
    assert described("aarch64", "Features\t: fp asimd asimddp crc32\n") == "aarch64 asimd asimddp"


def test_without_a_list_of_features_there_is_the_architecture() -> None:
    assert described("arm64", "") == "arm64"


def test_the_processor_of_this_machine_is_known() -> None:
    assert processor()
    assert processor() == processor()
