from tacenda.transforms.reading.planning import file_keys


def test_the_name_counts_and_not_the_folder():
    assert file_keys(["/a/x.jsonl", "/a/y.jsonl"]) == file_keys(["s3://b/c/x.jsonl", "s3://b/d/y.jsonl"])


def test_files_of_one_name_differ_and_keep_their_keys_when_moved_together():
    here = file_keys(["/a/2025/x.jsonl", "/a/2026/x.jsonl", "/a/y.jsonl"])
    assert len(set(here)) == 3
    assert file_keys(["gs://b/2025/x.jsonl", "gs://b/2026/x.jsonl", "gs://b/y.jsonl"]) == here


def test_without_files_there_are_no_keys():
    assert file_keys([]) == []


def test_files_whose_names_have_the_same_first_digits_have_other_keys():
    one, other, third = file_keys(["/a/023804.jsonl", "/a/028333.jsonl", "/a/x.jsonl"])
    assert one != other
    assert one[:8] == other[:8]
    assert third == file_keys(["/b/x.jsonl"])[0]
