"""Makes a wheel and an sdist of the package in a folder, with the standard library alone. The same
files give the same bytes: `python3 build.py FOLDER`."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, List

if sys.version_info < (3, 9):
    print("this needs Python 3.9 or newer", file=sys.stderr)
    sys.exit(3)

Files = Dict[str, bytes]


def field(project: str, name: str) -> str:
    """A field of pyproject.toml."""
    found = re.search(rf'^{re.escape(name)} = "(.*)"$', project, re.MULTILINE)
    if found is None:
        sys.exit(f"pyproject.toml has no {name}")
    return found[1]


def extras(project: str) -> List[str]:
    """The headers of the optional dependencies."""
    section = project.split("[project.optional-dependencies]\n")[1].split("\n\n")[0]
    lines: List[str] = []
    for name, listed in re.findall(r"^(\w+) = \[(.*)\]$", section, re.MULTILINE):
        lines.append(f"Provides-Extra: {name}")
        for needed in re.findall(r'"([^"]+)"', listed):
            lines.append(f'Requires-Dist: {needed}; extra == "{name}"')
    return lines


def metadata(project: str, readme: str) -> bytes:
    """The core metadata (PEP 566)."""
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {field(project, 'name')}",
        f"Version: {field(project, 'version')}",
        f"Summary: {field(project, 'description')}",
        f"Requires-Python: {field(project, 'requires-python')}",
        "Description-Content-Type: text/markdown",
        *extras(project),
    ]
    return ("\n".join(lines) + "\n\n" + readme).encode()


def record(files: Files, path: str) -> bytes:
    """The list of the files in a wheel, with their hashes (PEP 427)."""
    lines: List[str] = []
    for name, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{path},,", ""]).encode()


def write_wheel(path: Path, files: Files) -> None:
    """A wheel: its times and its order are fixed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, content)


def write_sdist(path: Path, files: Files) -> None:
    """An sdist: its times, owners and order are fixed."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(plain.getvalue(), 9, mtime=0))


def main(folder: Path) -> None:
    """Writes both files into the folder."""
    project = (folder / "pyproject.toml").read_text("utf-8")
    readme = (folder / "README.md").read_text("utf-8")
    stem = f"{field(project, 'name')}-{field(project, 'version')}"
    about = metadata(project, readme)
    sources = sorted((folder / "callgate").iterdir())
    package: Files = {f"callgate/{one.name}": one.read_bytes() for one in sources if one.is_file()}

    info = f"{stem}.dist-info"
    tags = "Wheel-Version: 1.0\nGenerator: callgate\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    wheel = {**package, f"{info}/METADATA": about, f"{info}/WHEEL": tags.encode()}
    wheel[f"{info}/RECORD"] = record(wheel, f"{info}/RECORD")
    wheel_path = folder / f"{stem}-py3-none-any.whl"
    write_wheel(wheel_path, wheel)

    sdist = {
        f"{stem}/PKG-INFO": about,
        f"{stem}/README.md": readme.encode(),
        f"{stem}/pyproject.toml": project.encode(),
        **{f"{stem}/{name}": content for name, content in package.items()},
    }
    sdist_path = folder / f"{stem}.tar.gz"
    write_sdist(sdist_path, sdist)
    print(f"{wheel_path.name}, {sdist_path.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
