"""Write a commented config to start from."""

from importlib.resources import files

from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, say
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.publishing import publish


def write_starter(name: str) -> int:
    """Write the config to a file, or to the terminal; returns the exit code.

    Raises:
        UserError: the file exists, or its name is not that of YAML.
    """
    if name == TERMINAL:
        answer(starter())
        return ExitCode.DONE
    if not name.endswith((".yaml", ".yml")):
        raise UserError(f"{name}: the config is YAML; use a name that ends in .yaml")
    url = absolute(name)
    if exists(url):
        raise UserError(f"{name}: already exists; name another file, or remove it first")
    with publish(url) as sink:
        sink.write(starter().encode())
    say(f"wrote {name}; its comments explain each setting\nnext           tacenda check {name}")
    return ExitCode.DONE


def starter() -> str:
    """The config to write."""
    return (files("tacenda.pipelines.config") / "starter.yaml").read_text(encoding="utf-8")
