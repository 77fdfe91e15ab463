"""Tests the files in dist/ and writes docs/dist-check.md; needs root, because it uses chroot.

usage: dist_check.py [--only NAME,...] [--keep FOLDER]
Names: static, old-cpu, aarch64, refusals, demo, lintian, debian-root, walk, wheels, sums, sbom. Run it
outside of CI when making a release (`make dist-check`). If a check cannot run because a tool is
missing, the table names the tool and the check fails, unless --only leaves it out.
"""
import argparse
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PAGE = ROOT / "docs" / "dist-check.md"
GOLDEN = ROOT / "tests" / "golden" / "demo_outputs.sha256"
SAMPLE = "samples/man-pages.jsonl"
MOST_PROGRAM_BYTES = 12_000_000
MOST_WHEEL_BYTES = 6_000_000


class Failed(Exception):
    pass


def run(*command, code=0, **options):
    done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          **options)
    if code is not None and done.returncode != code:
        raise Failed(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def need(tool, package):
    found = shutil.which(tool, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        raise Failed(f"needs {tool}: apt-get install {package}")
    return found


def the_file(pattern):
    found = sorted(DIST.glob(pattern))
    if len(found) != 1:
        raise Failed(f"dist/{pattern}: expected 1 file, found {len(found)}; run `make dist`")
    return found[0]


def unpacked(work, architecture):
    """Unpacks the tarball for the architecture and returns its only folder."""
    place = work / f"tarball-{architecture}"
    if not place.exists():
        place.mkdir()
        run("tar", "-xf", the_file(f"*-linux-{architecture}.tar.gz"), "-C", place)
    (folder,) = place.iterdir()
    return folder


def empty_root(work, name, program):
    """A root file system with the program and the sample, and nothing else."""
    root = work / name
    (root / "samples").mkdir(parents=True)
    (root / "out").mkdir()
    shutil.copy(program, root / "sosie")
    shutil.copy(ROOT / SAMPLE, root / "samples")
    return root


DEDUP = ("dedup", SAMPLE, "-o", "out/kept.jsonl", "--removed", "out/removed.tsv")


def require_golden(folder):
    for line in GOLDEN.read_text().splitlines():
        expected, name = line.split()
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
            raise Failed(f"{name} differs from the checksum in tests/golden")
    return "same bytes as the golden demo"


def check_static(work):
    program = unpacked(work, platform.machine()) / "bin" / "sosie"
    size = program.stat().st_size
    if size > MOST_PROGRAM_BYTES:
        raise Failed(f"{size} bytes")
    headers = run("readelf", "--wide", "--program-headers", "--dynamic", program)
    if "NEEDED" in headers or "INTERP" in headers:
        raise Failed("the program is not static")
    root = empty_root(work, "empty-root", program)
    run("chroot", root, "/sosie", *DEDUP)
    return f"{size:,} bytes; {require_golden(root / 'out')}"


def check_old_cpu(work):
    """A CPU from 2008, without AVX, and one with AVX2 for comparison."""
    qemu = need("qemu-x86_64", "qemu-user")
    program = unpacked(work, "x86_64") / "bin" / "sosie"
    for cpu in ("Nehalem", "Haswell"):
        root = empty_root(work, f"cpu-{cpu}", program)
        run(qemu, "-cpu", cpu, program, *DEDUP, cwd=root)
        require_golden(root / "out")
    return "Nehalem and Haswell: " + require_golden(root / "out")


def check_aarch64(work):
    qemu = need("qemu-aarch64", "qemu-user")
    program = unpacked(work, "aarch64") / "bin" / "sosie"
    size = program.stat().st_size
    if size > MOST_PROGRAM_BYTES:
        raise Failed(f"{size} bytes")
    root = empty_root(work, "aarch64", program)
    run(qemu, "-cpu", "cortex-a53", program, *DEDUP, cwd=root)
    return f"{size:,} bytes; {require_golden(root / 'out')}"


def check_refusals(work):
    """Work that needs shared libraries fails with an error that says what to do."""
    program = unpacked(work, platform.machine()) / "bin" / "sosie"
    folder = work / "refusals"
    folder.mkdir()
    (folder / "in.parquet").write_bytes(b"PAR1PAR1")
    (folder / "in.txt").write_bytes("日本語\n".encode("shift_jis"))
    (folder / "latin.txt").write_bytes("é a b\né a b\n".encode("latin-1"))
    for arguments, words in (
            (("dedup", "in.parquet"), ("cannot load the plugin", "pip install sosie pyarrow")),
            (("dedup", "in.txt", "--encoding", "shift_jis"), ("shift_jis", "iconv", "UTF-8")),
            (("serve", "index"), ("sosie-server",))):
        said = run(program, *arguments, code=2, cwd=folder)
        for word in words:
            if word not in said:
                raise Failed(f"{arguments}: no {word!r} in {said!r}")
    run(program, "dedup", "latin.txt", "--encoding", "latin-1", "-o", "out.txt", cwd=folder)
    if (folder / "out.txt").read_bytes() != "é a b\n".encode("latin-1"):
        raise Failed("latin-1 is not kept")
    return "Parquet, Shift-JIS and serve fail with an error that says what to do; latin-1 works"


def check_demo(work):
    """Runs `sosie demo` from the unpacked tarball in a root file system of its own."""
    root = work / "demo-root"
    shutil.copytree(unpacked(work, platform.machine()), root)
    said = run("chroot", root, "/bin/sosie", "demo")
    if "274 read, 167 kept" not in said or "To type next" not in said:
        raise Failed(said)
    for name in ("share/man/man1/sosie.1", "share/bash-completion/completions/sosie",
                 "share/doc/sosie/LICENSE", "share/doc/sosie/NOTICE", "share/sosie/README.md",
                 "share/doc/sosie/licences/libc6/copyright"):
        if not (root / name).is_file():
            raise Failed(f"the tarball has no {name}")
    return "works in the unpacked tarball; man page, completions and licences are present"


def check_sums(_):
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=DIST)
    named = {line.split("  ", 1)[1] for line in (DIST / "SHA256SUMS").read_text().splitlines()}
    there = {path.name for path in DIST.iterdir()} - {"SHA256SUMS"}
    if named != there:
        raise Failed(f"not in both SHA256SUMS and dist/: {sorted(named ^ there)}")
    return f"{len(named)} files"


def check_sbom(_):
    bill = json.loads(the_file("*.spdx.json").read_text())
    ids = {one["SPDXID"] for one in bill["packages"] + bill["files"]} | {bill["SPDXID"]}
    for relation in bill["relationships"]:
        for end in ("spdxElementId", "relatedSpdxElement"):
            if relation[end] not in ids:
                raise Failed(f"{relation[end]} is not defined")
    for one in bill["files"]:
        data = (DIST / one["fileName"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != one["checksums"][0]["checksumValue"]:
            raise Failed(f"{one['fileName']}: the checksum differs")
    return f"SPDX 2.3: {len(bill['packages'])} packages, {len(bill['files'])} files"


def check_lintian(_):
    lintian = need("lintian", "lintian")
    said = run(lintian, "--fail-on", "error", "--allow-root", *sorted(DIST.glob("*.deb")),
               code=None)
    errors = [line for line in said.splitlines() if line.startswith("E:")]
    if errors:
        raise Failed("\n".join(errors))
    warnings = sum(line.startswith("W:") for line in said.splitlines())
    return f"no errors, {warnings} warnings"


CONSUMER_PACKAGES = "g++,cmake,ninja-build"


def check_debian_root(work):
    """On a fresh Debian: both packages with apt, the demo, and a project that uses find_package."""
    bootstrap = need("debootstrap", "debootstrap")
    root = work / "debian"
    run(bootstrap, "--variant=minbase", "--include=" + CONSUMER_PACKAGES, "bookworm", root,
        mirror())
    for deb in DIST.glob("*.deb"):
        shutil.copy(deb, root / "root")
    shutil.copytree(ROOT / "tests/install/consumer", root / "root/consumer")
    inside = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8")
    run("chroot", root, "sh", "-c", "apt-get install -y -qq --no-install-recommends /root/*.deb",
        env=inside)
    said = run("chroot", root, "sh", "-c", "cd /tmp && sosie demo", env=inside)
    if "274 read, 167 kept" not in said:
        raise Failed(said)
    told = run("chroot", root, "sh", "-c",
               "cmake -S /root/consumer -B /tmp/b -G Ninja >/dev/null && cmake --build /tmp/b "
               ">/dev/null && /tmp/b/consumer", env=inside)
    if not re.search(r"^[0-9.]+ recipe [0-9]+$", told.strip(), re.MULTILINE):
        raise Failed(told)
    run("chroot", root, "sh", "-c", "apt-get purge -y -qq sosie libsosie-dev && "
        "! test -e /usr/share/sosie && ! test -e /usr/bin/sosie", env=inside)
    return f"installed with apt; demo; find_package(sosie): {told.strip().splitlines()[-1]}; purged"


WALK = (  # the table in README.md, in order, except `make test`, which CI runs in a fresh clone
    ("pip", "apt-get install -y -qq --no-install-recommends python3-venv >/dev/null && cd /root && "
     "python3 -m venv venv && . venv/bin/activate && pip install -q ./sosie-*.whl && "
     "python3 python_lines.py | grep -F '[ True False]' && sosie demo /root/demo-pip",
     "274 read, 167 kept"),
    ("static program", "cd /root && tar -xf sosie-*-linux-$(uname -m).tar.gz && "
     "cd sosie-*-linux-*/ && bin/sosie demo /root/demo-static", "274 read, 167 kept"),
    ("Debian packages", "cd /root && apt-get install -y -qq ./sosie_*.deb ./libsosie-dev_*.deb "
     ">/dev/null && sosie demo /root/demo-deb && apt-get purge -y -qq sosie libsosie-dev",
     "274 read, 167 kept"),
    ("`make demo`", "cd /root/sosie && make demo", "To type next"),
    ("examples of README.md", "cd /root/sosie && python3 tests/docs/run_readme.py README.md "
     "--sosie build/release/sosie", "as shown"),
)


def check_walk(work):
    """Types the commands in README.md on a fresh Debian that has only git and make added."""
    root = work / "walk"
    run(need("debootstrap", "debootstrap"), "--variant=minbase", "--include=git,make,ca-certificates",
        "bookworm", root, mirror())
    home = root / "root"
    for pattern in ("*-cp311-cp311-*.whl", "*.deb", "*.tar.gz"):  # Debian 12 has Python 3.11
        for file in DIST.glob(pattern):
            shutil.copy(file, home)
    run("git", "clone", "--quiet", "--no-hardlinks", ROOT, home / "sosie")
    block = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    (home / "python_lines.py").write_text(block)
    for path in filter(None, ("/etc/resolv.conf", os.environ.get("PIP_CERT"))):
        (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, root / path[1:])
    inside = dict(os.environ, DEBIAN_FRONTEND="noninteractive", LC_ALL="C.UTF-8", HOME="/root",
                  PATH="/usr/sbin:/usr/bin:/sbin:/bin")
    run("mount", "--bind", "/proc", root / "proc")
    told = []
    try:
        for name, typed, expected in WALK:
            begin = time.monotonic()
            said = run("chroot", root, "sh", "-c", typed, env=inside)
            if expected not in said:
                raise Failed(f"{typed}\n{said}")
            told.append(f"{name} {time.monotonic() - begin:.0f} s")
    finally:
        run("umount", root / "proc")
    return "including the installation of required packages: " + ", ".join(told)


def mirror():
    """The Debian mirror that this system uses."""
    for path in (Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list")):
        if path.exists():
            found = re.search(r"^(?:URIs: |deb (?:\[.*?\] )?)(\S+)", path.read_text(), re.MULTILINE)
            if found:
                return found[1]
    return "http://deb.debian.org/debian"


README_LINES = """
import sosie, sys
texts = ["the quick brown fox jumps over the lazy dog", "The quick brown fox jumps over the lazy dog!"]
result = sosie.dedup(texts)
assert result.mask.tolist() == [True, False], result.mask
assert list(result.apply()) == texts[:1]
"""


def pythons():
    """The interpreters from Python 3.9 to 3.13 on this machine, by minor version."""
    found = {}
    for minor in range(9, 14):
        places = [shutil.which(f"python3.{minor}"),
                  *Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python")]
        for place in filter(None, places):
            version = subprocess.run([place, "-c", "import sys; print(sys.version_info[1])"],
                                     capture_output=True, text=True, check=False).stdout
            if version.strip() == str(minor):
                found[minor] = place
                break
    return found


def check_wheels(work):
    """Tests each wheel in a fresh environment: README's lines, the command, ldd; rejects 3.9."""
    wheels = sorted(DIST.glob("*.whl"))
    if not wheels:
        raise Failed("no wheels in dist/")
    told = []
    for minor, python in pythons().items():
        venv = work / f"venv-3.{minor}"
        run(python, "-m", "venv", venv)
        pip = (venv / "bin/python", "-m", "pip", "install", "--quiet", "--find-links", DIST,
               "--only-binary", ":all:")
        if minor < 10:
            said = run(venv / "bin/python", "-m", "pip", "install", ROOT, code=1)
            if "requires a different python" not in said.lower() or ">=3.10" not in said:
                raise Failed(f"Python 3.{minor}: {said}")
            told.append(f"3.{minor} rejected")
            continue
        run(*pip, "sosie")
        run(venv / "bin/python", "-c", README_LINES, cwd=work)
        said = run(venv / "bin/sosie", "demo", work / f"demo-3.{minor}")
        if "274 read, 167 kept" not in said:
            raise Failed(said)
        (module,) = venv.glob("lib/python*/site-packages/sosie/_sosie*.so")
        needed = set(re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "--dynamic", module)))
        foreign = {name for name in needed if not re.match(r"(libc|libm|libgcc_s|ld-linux.*)\.so", name)}
        if foreign:
            raise Failed(f"Python 3.{minor}: linked with {foreign}")
        told.append(f"3.{minor}")
    sizes = ", ".join(f"{wheel.name} {wheel.stat().st_size:,} bytes" for wheel in wheels)
    if max(wheel.stat().st_size for wheel in wheels) > MOST_WHEEL_BYTES:
        raise Failed(sizes)
    return f"Python {', '.join(told)}; linked only with glibc and libgcc_s; {sizes}"


CHECKS = {
    "static": ("static program in an empty root file system", check_static),
    "old-cpu": ("static program on a CPU without AVX (qemu)", check_old_cpu),
    "aarch64": ("static program for aarch64 (qemu, Cortex-A53)", check_aarch64),
    "refusals": ("errors for what a static program cannot do", check_refusals),
    "demo": ("`sosie demo` from the tarball, in an empty root file system", check_demo),
    "lintian": ("lintian", check_lintian),
    "debian-root": ("packages on a fresh Debian 12 (debootstrap)", check_debian_root),
    "walk": ("commands in README.md on a fresh Debian 12 with git and make", check_walk),
    "wheels": ("wheels in fresh environments", check_wheels),
    "sums": ("SHA256SUMS", check_sums),
    "sbom": ("bill of materials", check_sbom),
}


def page(rows, seconds):
    version = re.search(r"project\(sosie VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    commit = run("git", "-C", ROOT, "rev-parse", "--short=12", "HEAD").strip()
    lines = "\n".join(f"| {what} | {'yes' if good else '**no**'} | {told} |"
                      for what, good, told in rows)
    return f"""<!-- Written by tools/dist_check.py: run `make dist dist-check` instead of editing. -->
# How a release is tested

`make dist` builds the release files, and `make dist-check` tests them. Both take too long for a normal `.ci/run`;
`.ci/run --all` includes them. Last run: {time.strftime('%Y-%m-%d', time.gmtime())}, sosie
{version[1]} (commit {commit} or the change that follows it), {seconds:.0f} s.

| check | passed | result |
|---|---|---|
{lines}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(CHECKS))
    parser.add_argument("--keep", type=Path, help="folder to work in; it is not deleted")
    args = parser.parse_args()
    names = args.only.split(",")
    if unknown := set(names) - CHECKS.keys():
        sys.exit(f"dist_check: no such check: {', '.join(sorted(unknown))}")
    if os.geteuid() != 0:
        sys.exit("dist_check: needs root for chroot; run sudo make dist-check")
    work = args.keep or Path(tempfile.mkdtemp(prefix="dist-check-"))
    work.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    rows = []
    try:
        for name in names:
            what, check = CHECKS[name]
            try:
                rows.append((what, True, check(work)))
            except Failed as failure:
                rows.append((what, False, str(failure).splitlines()[0].replace("|", "\\|")))
                print(failure, file=sys.stderr)
            print(f"{'ok    ' if rows[-1][1] else 'FAILED'} {what}: {rows[-1][2]}", flush=True)
    finally:
        if args.keep is None:
            shutil.rmtree(work, ignore_errors=True)
    if names == list(CHECKS):
        PAGE.write_text(page(rows, time.monotonic() - began), encoding="utf-8")
    return 0 if all(good for _, good, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
