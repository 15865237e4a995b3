"""From arguments and a config to a run."""
