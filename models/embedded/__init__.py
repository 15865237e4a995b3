"""The model that the default run uses; MODEL_CARD.md says how good it is, NOTICE.md what it was made from."""
