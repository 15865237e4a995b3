"""Propagation: what is known anywhere in a conversation is found wherever else it is mentioned there."""
