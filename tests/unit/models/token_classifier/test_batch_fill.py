from threading import Thread

from tacenda.models.token_classifier.packing import BatchFill, add_batch, take_batch_fill


def test_counts_are_reset_when_read() -> None:
    take_batch_fill()
    add_batch(10, 7)
    add_batch(5, 5)
    assert take_batch_fill() == BatchFill(15, 12)
    assert take_batch_fill() == BatchFill()


def test_batches_of_several_threads_are_all_counted() -> None:
    take_batch_fill()
    threads = [Thread(target=lambda: [add_batch(3, 2) for _ in range(1000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert take_batch_fill() == BatchFill(12_000, 8_000)
