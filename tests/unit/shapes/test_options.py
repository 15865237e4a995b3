import pickle

from tacenda.transforms.shapes.options import ReadOptions, actual_name, kept_fields


def test_names_are_mapped_and_nested_ones_lose_their_list():
    options = ReadOptions(fields={"conversation_id": "call_id", "turns.text": "said"})
    assert actual_name(options, "conversation_id") == "call_id"
    assert actual_name(options, "turns.text") == "said"
    assert actual_name(options, "turns.speaker") == "speaker"


def test_kept_fields_are_distinguished_by_their_list_under_either_name():
    options = ReadOptions(fields={"turns": "utterances"}, keep=("channel", "turns.start", "utterances.end"))
    assert kept_fields(options) == ("channel",)
    assert kept_fields(options, "turns") == ("start", "end")
    assert kept_fields(options, "messages") == ()


def test_options_travel_to_workers():
    options = ReadOptions(shape="chat", fields={"messages": "m"}, keep=("x",))
    assert pickle.loads(pickle.dumps(options)) == options
