"""Check deploy/Dockerfile without a container engine: `sudo python3 deploy/check_image.py`.

Performs the steps of the file, as they are, in a chroot for each stage: an overlay over this
machine's file system, which stands for the base image and should be a Debian with a Python of the
same version. Then starts CMD as USER with a read-only root, and expects /readyz to answer 200, the
health check to succeed and an answer to be streamed. Prints what the image adds to its base, in
megabytes. Needs root and Linux; nothing of it stays.
"""

import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
#: What this machine has and the base image has not; and what must not be used by accident.
HIDDEN_PROGRAMS = ("npm", "npx", "node")
PYTHON = Path(sys.executable).resolve()
CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
#: Names and minor numbers of the memory devices.
DEVICES = {"null": 3, "zero": 5, "random": 8, "urandom": 9}
#: Kept from this machine, so that it finds its package registries.
KEPT = re.compile(
    r"^(PIP_|UV_|NODE_|NPM_CONFIG_|npm_config_|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY|SSL_)"
)
READY_SECONDS = 180
PORT = 18080


@dataclass
class Stage:
    """The file system and the configuration of an image."""

    name: str
    root: Path
    added: Path
    env: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "0:0"
    volumes: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)

    def path(self, inside: str) -> Path:
        return self.root / os.path.normpath(os.path.join(self.folder, inside)).lstrip("/")

    def chroot(self, command: list[str], **env: str) -> subprocess.Popen[bytes]:
        """Start a command in this stage as its user."""
        before = {name: value for name, value in os.environ.items() if KEPT.match(name)}
        uid, _, gid = self.user.partition(":")
        path = {
            "PATH": f"{PYTHON.parent}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": os.environ.get("HOME", "/") if uid == "0" else "/",
        }
        inside = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *command]
        if uid == "0":
            inside = command
        cd = ["sh", "-c", f'cd {shlex.quote(self.folder)} && exec "$@"', "sh", *inside]
        return subprocess.Popen([CHROOT, str(self.root), *cd], env=before | path | self.env | env)

    def run(self, command: list[str], **env: str) -> int:
        return self.chroot(command, **env).wait()


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile: name and the rest."""
    lines = [each for each in DOCKERFILE.read_text().splitlines() if not each.startswith("#")]
    text = "\n".join(lines).replace("\\\n", " ")
    parts = [each.partition(" ") for each in text.splitlines() if each.strip()]
    return [(name, rest.strip()) for name, _, rest in parts]


def build(folder: Path) -> Stage:
    """Perform all instructions; return the last stage."""
    stages: list[Stage] = []
    for name, rest in instructions():
        print(f"{name} {rest}"[:110], flush=True)
        if name == "FROM":
            stages.append(new_stage(rest.partition(" AS ")[2] or "final", folder))
        elif name != "ARG":
            perform(name, rest, stages)
    return stages[-1]


def perform(name: str, rest: str, stages: list[Stage]) -> None:
    stage = stages[-1]
    if name == "RUN":
        if stage.run(["sh", "-c", rest]):
            sys.exit(f"check_image: this step failed: {rest}")
    elif name == "WORKDIR":
        stage.folder = rest
        stage.path(".").mkdir(parents=True, exist_ok=True)
    elif name == "COPY":
        copy(shlex.split(rest), stages)
    elif name == "ENV":
        stage.env |= dict(each.split("=", 1) for each in shlex.split(rest))
    elif name == "USER":
        stage.user = rest
    elif name == "VOLUME":
        stage.volumes = listed(rest)
    elif name == "CMD":
        stage.command = listed(rest)
    elif name == "HEALTHCHECK":
        stage.health = listed(rest.partition("CMD ")[2])
    elif name not in {"EXPOSE", "STOPSIGNAL"}:
        sys.exit(f"check_image: {name} is not known here")


def listed(text: str) -> list[str]:
    return re.findall(r'"([^"]*)"', text)


def new_stage(name: str, folder: Path) -> Stage:
    """Mount an overlay over this machine's files, without those that no base image has."""
    root, added, work = (folder / name / part for part in ("root", "added", "work"))
    for each in (root, added, work):
        each.mkdir(parents=True)
    layers = f"lowerdir=/,upperdir={added},workdir={work}"
    mount("-t", "overlay", "overlay", "-o", layers, str(root))
    for above in PYTHON.parents:  # others may look for Python in a private folder
        inside = root / str(above).lstrip("/")
        inside.chmod(inside.stat().st_mode | 0o055)
    for program in HIDDEN_PROGRAMS:
        for place in ("usr/bin", "usr/local/bin", "bin"):
            (root / place / program).unlink(missing_ok=True)
    for each in (ROOT, Path("/srv"), Path("/data")):
        inside = root / str(each).lstrip("/")
        if inside.is_dir():
            mount("-t", "tmpfs", "tmpfs", str(inside))
            (inside.parent / inside.name).chmod(0o755)
    mount("-t", "proc", "proc", str(root / "proc"))
    mount("-t", "tmpfs", "tmpfs", str(root / "tmp"))
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", str(root / "dev"))
    for device, minor in DEVICES.items():
        os.mknod(root / "dev" / device, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        (root / "dev" / device).chmod(0o666)
    for number, stream in enumerate(("stdin", "stdout", "stderr")):
        (root / "dev" / stream).symlink_to(f"/proc/self/fd/{number}")
    return Stage(name, root, added)


def copy(words: list[str], stages: list[Stage]) -> None:
    stage, source = stages[-1], ""
    while words[0].startswith("--"):
        option, _, value = words.pop(0).partition("=")
        if option != "--from":
            sys.exit(f"check_image: COPY {option} is not known here")
        source = value
    *names, target = words
    for name in names:
        if source:
            (there,) = [each for each in stages if each.name == source]
            shutil.copytree(there.path(name), stage.path(target), symlinks=True, dirs_exist_ok=True)
        elif name == ".":
            for each in context():
                copy_file(each, stage.path(target))
        else:
            copy_file(name, stage.path(target))


def copy_file(name: str, target: Path) -> None:
    path = target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(ROOT / name, path)


def context() -> list[str]:
    """Return the files that .dockerignore leaves."""
    patterns = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    wanted = [each[1:] for each in patterns if each.startswith("!")]
    unwanted = [each.removeprefix("**/") for each in patterns if each.startswith("**/")]
    if patterns[0] != "*" or len(wanted) + len(unwanted) + 1 != len(patterns):
        sys.exit("check_image: .dockerignore has patterns that are not known here")
    found = []
    for name in wanted:
        top = ROOT / name
        found += [top] if top.is_file() else [each for each in top.rglob("*") if each.is_file()]
    names = [each.relative_to(ROOT) for each in found]
    return [
        str(name) for name in names if not any(fnmatch(p, u) for p in name.parts for u in unwanted)
    ]


def serve(stage: Stage) -> None:
    """Start the command as the image's user, with a read-only root, and use the site."""
    for volume in stage.volumes:
        kept = stage.root.parent / f"volume{volume.replace('/', '-')}"
        shutil.copytree(stage.path(volume), kept)
        shutil.copystat(stage.path(volume), kept)
        owner = stage.path(volume).stat()
        os.chown(kept, owner.st_uid, owner.st_gid)
        mount("--bind", str(kept), str(stage.path(volume)))
    mount("-o", "remount,ro", str(stage.root))
    settings = {"PORT": str(PORT), "SITE_URL": f"http://localhost:{PORT}", "WORKERS": "2"}
    site = stage.chroot(stage.command, **settings)
    try:
        wait_until_healthy(stage, site, settings)
        client = [
            sys.executable,
            str(ROOT / "deploy" / "check_stream.py"),
            f"http://localhost:{PORT}",
        ]
        subprocess.run(client, check=True)
        touched = stage.run(["sh", "-c", "! touch /srv/runnel/x 2>/dev/null"])
        if touched:
            sys.exit("check_image: the root can be written to")
    finally:
        site.send_signal(signal.SIGTERM)
        code = site.wait(60)
    print(f"The site ended with status {code}.")


def wait_until_healthy(
    stage: Stage, site: subprocess.Popen[bytes], settings: dict[str, str]
) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while stage.run(stage.health, **settings):
        if site.poll() is not None or time.monotonic() > deadline:
            sys.exit("check_image: the site doesn't become healthy")
        time.sleep(1)
    print("The health check succeeds.", flush=True)


def megabytes(folder: Path) -> float:
    return (
        sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
        / 1e6
    )


def mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def main() -> None:
    if len(sys.argv) == 1:
        folder = tempfile.mkdtemp(prefix="runnel-image-")
        # All mounts end with their namespace, so the folder outside stays empty.
        command = [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            sys.executable,
            __file__,
        ]
        code = subprocess.run([*command, folder]).returncode
        os.rmdir(folder)
        sys.exit(code)
    folder = sys.argv[1]
    mount("-t", "tmpfs", "tmpfs", folder)
    stage = build(Path(folder))
    size = megabytes(stage.root / "srv")
    serve(stage)
    print(f"The image adds {size:.0f} MB to its base.")


if __name__ == "__main__":
    main()
