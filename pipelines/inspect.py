"""``python -m pipelines.inspect`` is ``tacenda inspect``."""

from tacenda.pipelines.cli import main

if __name__ == "__main__":
    main("inspect")
