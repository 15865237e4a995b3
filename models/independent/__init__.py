"""A small detector that shares neither weights nor lists with the others; see MODEL_CARD.md."""
