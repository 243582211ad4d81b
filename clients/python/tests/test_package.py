"""The package is built with Python alone."""

from __future__ import annotations

import base64
import hashlib
import tarfile
import tempfile
import unittest
import zipfile
from pathlib import Path

import build_wheel

import assentry


class Built(unittest.TestCase):
    def test_the_wheel_has_each_module_with_its_digest(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            wheel = zipfile.ZipFile(Path(folder, build_wheel.build_wheel(folder)))
            with wheel:
                files = {name: wheel.read(name) for name in wheel.namelist()}
        record = next(content for name, content in files.items() if name.endswith("/RECORD")).decode()
        for name, content in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            if not name.endswith("/RECORD"):
                self.assertIn(f"{name},sha256={digest},{len(content)}\n", record)
        modules = {path.name for path in Path(assentry.__file__).parent.glob("*.py")}
        self.assertLessEqual({f"assentry/{name}" for name in modules}, files.keys())
        self.assertIn("assentry/py.typed", files)

    def test_the_source_distribution_can_be_built(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(Path(folder, build_wheel.build_sdist(folder))) as archive:
                names = {name.partition("/")[2] for name in archive.getnames()}
        self.assertLessEqual({"PKG-INFO", "pyproject.toml", "build_wheel.py", "assentry/client.py"}, names)
