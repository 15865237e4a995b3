from pathlib import Path

from tacenda.transforms.storage.files import place_of, unresolved_path


def test_one_place_is_equal_however_it_is_spelled(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("there")
    there = place_of(f"{tmp_path}/there")
    for spelled in ("link", "there/", "there/../there", "there/."):
        assert place_of(f"{tmp_path}/{spelled}") == place_of(f"file://{tmp_path}/{spelled}") == there
    assert unresolved_path(f"{tmp_path}/link") != there
    assert unresolved_path(f"{tmp_path}/link/a") == unresolved_path(f"{tmp_path}/there/a")
    assert place_of("memory://a/b/") == place_of("memory:///a/b")


def test_a_place_lies_in_itself_and_in_what_is_above_it(tmp_path: Path) -> None:
    folder = place_of(str(tmp_path))
    assert folder.lies_in(folder)
    assert place_of(f"{tmp_path}/a/b").lies_in(folder)
    assert folder.lies_in(place_of("/"))
    assert not place_of(f"{tmp_path}.out").lies_in(folder)
    assert not place_of(f"memory:/{tmp_path}/a").lies_in(folder)
