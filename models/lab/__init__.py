"""Experiments that a corpus job does not need, behind the extra ``[lab]``; nothing imports them."""
