"""Run ``tacenda preview``: conversations side by side, one explained, or a text anonymised."""

from argparse import Namespace

from tacenda.transforms.schema.errors import UserError


def show(arguments: Namespace) -> int:
    """Show what the arguments ask for; returns the exit code.

    Raises:
        UserError: options that do not go together, or an input cannot be used.
    """
    if arguments.text is not None:
        if arguments.input or arguments.why is not None or arguments.html:
            raise UserError("--text: is a text by itself; leave --input, --why and --html out")
        from tacenda.pipelines.interactive.redaction import redact

        return redact(arguments)
    if not arguments.input:
        raise UserError("give --input FILE, or --text - for a text on stdin; see 'tacenda preview --help'")
    if arguments.why is not None:
        from tacenda.pipelines.interactive.explanation import explain

        return explain(arguments)
    if arguments.json:
        raise UserError("--json: needs --why or --text; a preview is for people")
    from tacenda.pipelines.interactive.before_and_after import preview

    return preview(arguments)
