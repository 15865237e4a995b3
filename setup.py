"""Where the packages lie: the folders at the root install as parts of ``tacenda``.

Setuptools can be told of a folder with another name than its package only here; pyproject.toml holds the rest.
"""

from setuptools import find_namespace_packages, setup

FOLDERS = ("pipelines", "models", "transforms")

setup(
    packages=[
        "tacenda",
        *(
            f"tacenda.{name}"
            for folder in FOLDERS
            for name in find_namespace_packages(include=[folder, f"{folder}.*"])
        ),
    ],
    package_dir={f"tacenda.{folder}": folder for folder in FOLDERS},
)
