import fsspec
import pytest

from tacenda.transforms.storage import publishing
from tacenda.transforms.storage.publishing import publish


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()


def break_off(url):
    with publish(url) as file:
        file.write(b"ha")
        raise RuntimeError


def test_a_local_file_appears_at_the_end_of_the_block(tmp_path):
    final = tmp_path / "deep" / "part.jsonl"
    with publish(str(final)) as file:
        file.write(b"whole")
        assert not final.exists()
    assert final.read_bytes() == b"whole"
    assert [path.name for path in final.parent.iterdir()] == ["part.jsonl"]


def test_a_local_file_of_that_name_is_replaced_only_by_a_whole_one(tmp_path):
    final = tmp_path / "part.jsonl"
    final.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        break_off(str(final))
    assert final.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["part.jsonl"]
    with publish(f"file://{final}") as file:
        file.write(b"new")
    assert final.read_bytes() == b"new"


def test_a_place_that_cannot_be_written_is_reported_by_the_name_that_was_asked_for(tmp_path):
    url = str(tmp_path / ("x" * 250))
    with pytest.raises(OSError, match="File name too long") as caught, publish(url):
        pass
    assert caught.value.filename == url


def test_an_object_appears_at_the_end_of_the_block(memory):
    with publish("memory://out/part.jsonl") as file:
        file.write(b"whole")
        assert not memory.exists("/out/part.jsonl")
    assert memory.cat_file("/out/part.jsonl") == b"whole"


def test_a_failed_block_leaves_no_object(memory):
    with pytest.raises(RuntimeError):
        break_off("memory://out/part.jsonl")
    assert memory.find("/") == []


def test_a_file_system_that_shows_unfinished_files_is_renamed_into(memory, monkeypatch):
    seen = []
    move = type(memory).mv

    def spy(self, source, target, **options):
        seen.append((source, target))
        return move(self, source, target, **options)

    monkeypatch.setattr("tacenda.transforms.storage.publishing.WHOLE_OBJECT_PROTOCOLS", frozenset())
    monkeypatch.setattr(type(memory), "mv", spy)
    with publish("memory://out/part.jsonl") as file:
        file.write(b"whole")
    assert len(seen) == 1
    assert seen[0][0].startswith("/out/.part.jsonl.")
    assert memory.find("/") == ["/out/part.jsonl"]


def test_a_private_file_is_its_owners_alone(tmp_path):
    path = tmp_path / "new" / "a"
    with publish(str(path), private=True) as file:
        file.write(b"x")
        [unfinished] = path.parent.iterdir()
        assert unfinished.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("size", [0, 5, publishing._AT_ONCE_BYTES, publishing._AT_ONCE_BYTES + 1])
def test_an_object_of_any_size_arrives_whole(memory, size):
    with publish("memory://folder/object") as file:
        file.write(bytes(range(250)) * (size // 250) + bytes(size % 250))
    assert memory.cat_file("/folder/object") == bytes(range(250)) * (size // 250) + bytes(size % 250)


def test_a_small_object_is_written_by_one_request(memory, monkeypatch):
    monkeypatch.setattr(type(memory), "open", lambda *_, **__: pytest.fail("opened"))
    monkeypatch.setattr(type(memory), "pipe_file", lambda self, path, data: self.store.update({path: data}))
    with publish("memory://folder/object") as file:
        file.write(b"whole")
    assert memory.store.pop("/folder/object") == b"whole"
