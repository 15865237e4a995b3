"""The default model; see MODEL_CARD.md for its accuracy and NOTICE.md for its sources."""
