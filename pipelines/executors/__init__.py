"""Ways to run the same per-unit function: a Beam runner, a plain loop, a process pool."""
