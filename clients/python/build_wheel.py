"""Builds the package with Python alone (PEP 517): ``python3 -m pip wheel --no-deps --wheel-dir dist .``"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
STAMP = (1980, 1, 1, 0, 0, 0)
"""The same files are the same wheel, byte by byte."""

_PROJECT = (FOLDER / "pyproject.toml").read_text("utf-8")


def _of(name: str) -> str:
    match = re.search(rf'^{name} = "(.*)"$', _PROJECT, re.MULTILINE)
    assert match, name
    return match[1]


NAME = f"{_of('name')}-{_of('version')}"
METADATA = "\n".join(
    [
        "Metadata-Version: 2.1",
        f"Name: {_of('name')}",
        f"Version: {_of('version')}",
        f"Summary: {_of('description')}",
        "License: Apache-2.0",
        f"Requires-Python: {_of('requires-python')}",
        "Description-Content-Type: text/markdown",
        "",
        (FOLDER / "README.md").read_text("utf-8"),
    ]
)
WHEEL = "Wheel-Version: 1.0\nGenerator: assentry\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def _sources() -> list[Path]:
    return sorted(path for path in (FOLDER / "assentry").iterdir() if path.suffix in (".py", ".typed"))


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    files = {f"assentry/{path.name}": path.read_bytes() for path in _sources()}
    files[f"{NAME}.dist-info/METADATA"] = METADATA.encode("utf-8")
    files[f"{NAME}.dist-info/WHEEL"] = WHEEL.encode("utf-8")
    record = f"{NAME}.dist-info/RECORD"
    files[record] = _record(files, record).encode("utf-8")
    name = f"{NAME}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(zipfile.ZipInfo(path, STAMP), content, zipfile.ZIP_DEFLATED)
    return name


def _record(files: Mapping[str, bytes], own: str) -> str:
    def line(path: str, content: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        return f"{path},sha256={digest},{len(content)}\n"

    return "".join(line(path, content) for path, content in files.items()) + f"{own},,\n"


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    files = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in _sources()}
    for name in ("README.md", "build_wheel.py", "pyproject.toml"):
        files[name] = (FOLDER / name).read_bytes()
    files["PKG-INFO"] = METADATA.encode("utf-8")
    name = f"{NAME}.tar.gz"
    with gzip.GzipFile(Path(sdist_directory, name), "wb", mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, content in sorted(files.items()):
                entry = tarfile.TarInfo(f"{NAME}/{path}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return name
