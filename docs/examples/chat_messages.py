"""Anonymise chat messages and a bare text, and look at what was found.

python docs/examples/chat_messages.py
"""

from tacenda import Anonymizer, Config

anonymizer = Anonymizer(Config.load(detectors=["rules", "gazetteer"]))

chat = [
    {"role": "user", "content": "Hi, this is Grace Lee. Write to grace.lee@example.com, please."},
    {"role": "assistant", "content": "Thank you, Grace. Anything else?"},
]
result = anonymizer.anonymize(chat)
for message in result.conversation:
    print(f"{message['role']}: {message['content']}")
for entity in result.entities:
    print(f"{entity.token} is mentioned {entity.mentions} times")
if result.risk is not None:
    print(f"what is still readable scores {result.risk.score}")

for finding in anonymizer.inspect("My card is 4111 1111 1111 1111").findings:
    print(f"{finding.info_type} from {finding.start} to {finding.end}: {finding.likelihood.name}")
