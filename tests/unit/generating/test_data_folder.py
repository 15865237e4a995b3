"""Data files are found by name, read once, and split at commas."""

from tacenda.transforms.generating.data_folder import DataFolder, separated

FOLDER = DataFolder("tacenda.transforms.generating.training")


def test_a_file_is_read_once():
    assert FOLDER.document("things.yaml") is FOLDER.document("things.yaml")


def test_lists_by_their_path_of_keys():
    assert (
        FOLDER.listed("things.yaml", "food", "en")[0]
        == separated(FOLDER.document("things.yaml")["food"]["en"])[0]
    )
    assert separated("a b,  c,\n d,") == ("a b", "c", "d")


def test_files_of_all_folders_below_one():
    found = FOLDER.files("templates")
    assert "templates/en/forms.yaml" in found
    assert list(found) == sorted(found)
    assert FOLDER.files("templates/en") == tuple(name for name in found if name.startswith("templates/en/"))
