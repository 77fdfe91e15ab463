"""Writes the software bill of materials of a release (SPDX 2.3, JSON) to standard output.

usage: write_sbom.py
It lists Sosie, the libraries in tools/static_sources.txt with the checksums of their sources, the
compiler's C and C++ libraries, the sample, and the files in dist/ with their checksums.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE_FROM = "SPDXRef-sosie"
# Installed packages whose code is linked into the static program, with licence and home page.
OF_THE_SYSTEM = (
    ("libc6-dev", "glibc", "LGPL-2.1-or-later", "https://www.gnu.org/software/libc/"),
    ("libstdc++-12-dev", "libstdc++", "GPL-3.0-or-later WITH GCC-exception-3.1",
     "https://gcc.gnu.org/"),
)
SAMPLE_LICENCES = ("LicenseRef-man-pages-verbatim AND GPL-2.0-only AND GPL-2.0-or-later AND "
                   "BSD-4-Clause-UC AND LicenseRef-freely-redistributable")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def version_of_sosie():
    return re.search(r"project\(sosie VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def package(name, version, licence, home, **more):
    return {"SPDXID": f"SPDXRef-{re.sub(r'[^A-Za-z0-9.-]', '-', name)}", "name": name,
            "versionInfo": version, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "homepage": home, **more}


def libraries():
    for line in (ROOT / "tools/static_sources.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        name, file, checksum, _, licence, home = line.split()
        if checksum == "-":
            yield package(name, file, licence, home)
            continue
        version = re.search(r"_([0-9][0-9.]*[0-9])", file)[1]
        yield package(name, version, licence, home, packageFileName=file,
                      checksums=[{"algorithm": "SHA256", "checksumValue": checksum}])


def libraries_of_the_system():
    for debian, name, licence, home in OF_THE_SYSTEM:
        asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", debian],
                               capture_output=True, text=True, check=False)
        yield package(name, asked.stdout or "NOASSERTION", licence, home)


def files():
    for path in sorted((ROOT / "dist").glob("*")):
        if path.suffix in (".gz", ".deb", ".whl"):
            yield {"SPDXID": f"SPDXRef-file-{re.sub(r'[^A-Za-z0-9.-]', '-', path.name)}",
                   "fileName": f"./{path.name}", "copyrightText": "NOASSERTION",
                   "licenseConcluded": "NOASSERTION",
                   "checksums": [{"algorithm": "SHA256", "checksumValue": sha256(path)},
                                 {"algorithm": "SHA1", "checksumValue":
                                  hashlib.sha1(path.read_bytes()).hexdigest()}]}


def relation(left, kind, right):
    return {"spdxElementId": left, "relationshipType": kind, "relatedSpdxElement": right}


def licence_ref(name, text):
    return {"licenseId": f"LicenseRef-{name}", "name": name, "extractedText": text}


def document():
    version = version_of_sosie()
    sosie = package("sosie", version, "Apache-2.0", "NOASSERTION")
    sample = package("man-pages-sample", "3.50 to 5.13", SAMPLE_LICENCES,
                     "https://www.kernel.org/doc/man-pages/")
    linked = [*libraries(), *libraries_of_the_system()]
    released = list(files())
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    state = hashlib.sha256(json.dumps([linked, released], sort_keys=True).encode()).hexdigest()
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"sosie-{version}",
        "documentNamespace": uuid.uuid5(uuid.NAMESPACE_OID, f"sosie-{version}-{state}").urn,
        "creationInfo": {"creators": ["Tool: sosie-write_sbom"],
                         "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))},
        "packages": [sosie, *linked, sample], "files": released,
        "hasExtractedLicensingInfos": [
            licence_ref("man-pages-verbatim", "The text stands in the header of each page."),
            licence_ref("freely-redistributable", "may be freely modified and distributed")],
        "relationships": [
            relation("SPDXRef-DOCUMENT", "DESCRIBES", MADE_FROM),
            *(relation(MADE_FROM, "STATIC_LINK", one["SPDXID"]) for one in linked),
            relation(MADE_FROM, "CONTAINS", sample["SPDXID"]),
            *(relation(one["SPDXID"], "GENERATED_FROM", MADE_FROM) for one in released)],
    }


if __name__ == "__main__":
    json.dump(document(), sys.stdout, indent=1)
    print()
