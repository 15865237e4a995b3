"""``python -m pipelines.score`` is ``tacenda score``."""

from tacenda.pipelines.cli import main

if __name__ == "__main__":
    main("score")
