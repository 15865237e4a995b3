"""Sample conversations: scenarios of five contexts, played by a made-up cast."""
