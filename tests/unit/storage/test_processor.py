"""Only features that arithmetic depends on are listed, in one order."""

from tacenda.transforms.storage.machine_cache import described, processor


def test_features_come_in_one_order_and_without_the_rest() -> None:
    cpuinfo = "processor\t: 0\nflags\t\t: fpu avx512f sse fma avx2 avx512_vnni\n\nflags\t: avx2\n"
    assert described("x86_64", cpuinfo) == "x86_64 avx2 fma avx512f avx512_vnni"
    assert described("aarch64", "Features\t: fp asimd asimddp crc32\n") == "aarch64 asimd asimddp"


def test_without_a_list_of_features_there_is_the_architecture() -> None:
    assert described("arm64", "") == "arm64"


def test_the_processor_of_this_machine_is_known() -> None:
    assert processor()
    assert processor() == processor()
