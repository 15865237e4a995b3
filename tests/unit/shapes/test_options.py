import pickle

from tacenda.transforms.shapes.options import ReadOptions


def test_names_are_mapped_and_nested_ones_lose_their_list():
    options = ReadOptions(fields={"conversation_id": "call_id", "turns.text": "said"})
    assert options.actual("conversation_id") == "call_id"
    assert options.actual("turns.text") == "said"
    assert options.actual("turns.speaker") == "speaker"


def test_kept_fields_are_distinguished_by_their_list_under_either_name():
    options = ReadOptions(fields={"turns": "utterances"}, keep=("channel", "turns.start", "utterances.end"))
    assert options.kept() == ("channel",)
    assert options.kept("turns") == ("start", "end")
    assert options.kept("messages") == ()


def test_options_travel_to_workers():
    options = ReadOptions(shape="chat", fields={"messages": "m"}, keep=("x",))
    assert pickle.loads(pickle.dumps(options)) == options
