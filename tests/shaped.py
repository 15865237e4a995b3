"""Records of every shape with given texts, and nothing else that is personal."""

import json


def conversation(texts):
    return [{"conversation_id": "c", "turns": [{"speaker": "agent", "text": text} for text in texts]}]


def turn_rows(texts):
    return [{"conversation_id": "c", "turn_index": i, "text": text} for i, text in enumerate(texts)]


def chat(texts):
    return [{"messages": [{"role": "user", "content": text} for text in texts]}]


def chat_of_parts(texts):
    return [{"messages": [{"role": "user", "content": [{"type": "text", "text": text} for text in texts]}]}]


def tool_call(texts):
    arguments = json.dumps({"to": texts, "n": 1.5}, separators=(",", ":"), ensure_ascii=False)
    call = {"id": "1", "type": "function", "function": {"name": "send", "arguments": arguments}}
    return [{"messages": [{"role": "user", "content": ""}, {"role": "assistant", "tool_calls": [call]}]}]


def sharegpt(texts):
    return [{"conversations": [{"from": "human", "value": text} for text in texts]}]


def document(texts):
    return [{"id": str(i), "text": text} for i, text in enumerate(texts)]


def vcon(texts):
    dialog = [
        {"type": "text", "start": "2025-01-01T00:00:00Z", "parties": [0], "body": text} for text in texts
    ]
    return [{"vcon": "0.0.2", "uuid": "u", "parties": [{"role": "agent"}], "dialog": dialog}]


def preference(texts):
    sides = {
        side: [{"role": "assistant", "content": text} for text in texts] for side in ("chosen", "rejected")
    }
    return [{"prompt": [{"role": "user", "content": texts[0]}], **sides}]


def prompt_completion(texts):
    return [{"prompt": text, "completion": text + "!"} for text in texts]


def alpaca(texts):
    return [{"instruction": text, "input": "", "output": texts[0]} for text in texts]


SHAPES = {  # the shape of the records that each makes
    conversation: "conversation",
    turn_rows: "turns",
    chat: "chat",
    chat_of_parts: "chat",
    tool_call: "chat",
    sharegpt: "sharegpt",
    document: "document",
    vcon: "vcon",
    preference: "preference",
    prompt_completion: "prompt_completion",
    alpaca: "alpaca",
}
