"""``python -m tacenda`` is the ``tacenda`` command."""

from tacenda.pipelines.cli import main

if __name__ == "__main__":
    main()
