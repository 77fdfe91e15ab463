"""The index of one library, filled and used as its documentation shows, for bench/index_peers.py.

    index_peer.py make TOOL FOLDER ITEMS OUT.json
    index_peer.py use TOOL FOLDER ITEMS ASKED ADDED OUT.json

make: reads ITEMS, fills an index and stores it in FOLDER, if the library can. use, in a separate
process: opens this index, looks up every row of ASKED, adds the rows of ADDED, and removes them
again, all one at a time. Texts are JSON lines, vectors .npy of length 1. OUT gets wall-clock
seconds, peak memory, and the ids found for each row looked up. Everything runs on one thread.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import re
import resource
import sys
import time
from pathlib import Path

THRESHOLD = 0.8
WIDTH = 2  # words of a shingle
TOP = 10
WORD = re.compile(r"\w+")


def texts_of(path: str) -> tuple[list[str], list[str]]:
    rows = [json.loads(line) for line in open(path, encoding="utf-8")]
    return [row["id"] for row in rows], [row["text"] for row in rows]


def vectors_of(path: str):
    import numpy
    rows = numpy.load(path)
    first = 0 if "data" in Path(path).name else 10_000_000
    return list(range(first, first + len(rows))), rows


class Texts:
    read = staticmethod(texts_of)


class Vectors:
    read = staticmethod(vectors_of)


class SosieTexts(Texts):
    def make(self, folder, ids, texts):
        import sosie
        sosie.Index.create(folder / "index", texts, ids, shingle=f"words:{WIDTH}",
                           threshold=THRESHOLD).close()

    def open(self, folder):
        import sosie
        self.index = sosie.Index.open(folder / "index")

    def find(self, text):
        return self.index.query([text])["right"].tolist()

    def add(self, name, text):
        self.index.add([text], [name])

    def remove(self, name):
        self.index.remove([name])


class SosieVectors(Vectors):
    options = {}

    def make(self, folder, ids, rows):
        import sosie
        sosie.Index.create(folder / "index", rows, ids, kind="vectors", **self.options).close()

    def open(self, folder):
        import sosie
        self.index = sosie.Index.open(folder / "index")

    def find(self, row):
        return [int(name) for name in self.index.query(row[None, :], top=TOP)["right"]]

    def add(self, name, row):
        self.index.add(row[None, :], [name])

    def remove(self, name):
        self.index.remove([name])


class SosieLists(SosieVectors):
    options = {"method": "lsh", "recall": 0.95}


class Datasketch(Texts):
    """Its own MinHash with 128 permutations, over shingles hashed to 32 bits."""
    bands = {}

    def minhash(self, text):
        from datasketch import MinHash
        sketch = MinHash(num_perm=128, hashfunc=lambda shingle: int.from_bytes(
            hashlib.blake2b(shingle, digest_size=4).digest(), "little"))
        words = WORD.findall(text.lower())
        width = min(WIDTH, len(words))
        sketch.update_batch([" ".join(words[i:i + width]).encode()
                             for i in range(len(words) - width + 1)])
        return sketch

    def empty(self):
        from datasketch import MinHashLSH
        return MinHashLSH(threshold=THRESHOLD, num_perm=128, **self.bands)

    def make(self, folder, ids, texts):
        index = self.empty()
        with index.insertion_session() as session:
            for name, text in zip(ids, texts):
                session.insert(name, self.minhash(text))
        with open(folder / "index.pickle", "wb") as out:
            pickle.dump(index, out)

    def open(self, folder):
        with open(folder / "index.pickle", "rb") as data:
            self.index = pickle.load(data)

    def find(self, text):
        return self.index.query(self.minhash(text))

    def add(self, name, text):
        self.index.insert(name, self.minhash(text))

    def remove(self, name):
        self.index.remove(name)


class DatasketchForRecall(Datasketch):
    """With bands that in theory find 99 % at the threshold."""
    bands = {"params": (21, 6)}


class DatasketchOnRedis(Datasketch):
    """datasketch on a separate Redis server, started by bench/index_peers.py; it writes every second."""

    def empty(self):
        from datasketch import MinHashLSH
        return MinHashLSH(threshold=THRESHOLD, num_perm=128, storage_config={
            "type": "redis", "basename": b"bench", "redis": {"host": "127.0.0.1", "port": 6399}})

    def make(self, folder, ids, texts):
        index = self.empty()
        with index.insertion_session(buffer_size=10_000) as session:
            for name, text in zip(ids, texts):
                session.insert(name, self.minhash(text))

    def open(self, folder):
        self.index = self.empty()


class Gaoya(Texts):
    """Has no file, so opening it means making it."""

    def empty(self):
        from gaoya.minhash import MinHashStringIndex
        return MinHashStringIndex(hash_size=32, jaccard_threshold=THRESHOLD, num_bands=25,
                                  band_size=5, analyzer="word", lowercase=True,
                                  ngram_range=(WIDTH, WIDTH), id_container="vec")

    def make(self, folder, ids, texts):
        self.fill(ids, texts)

    def fill(self, ids, texts):
        self.index, self.names = self.empty(), ids
        self.number_of = {}
        for first in range(0, len(texts), 2000):
            part = texts[first:first + 2000]
            self.index.par_bulk_insert_docs(list(range(first, first + len(part))), part)

    def open(self, folder):
        self.fill(*self.read(self.items))

    def find(self, text):
        return [self.names[number] for number in self.index.query(text)]

    def add(self, name, text):
        self.number_of[name] = len(self.names)
        self.names.append(name)
        self.index.insert_document(self.number_of[name], text)

    def remove(self, name):
        self.index.remove(self.number_of[name])


class FaissIvf(Vectors):
    lists, probes = 1024, 64

    def make(self, folder, ids, rows):
        import faiss
        faiss.omp_set_num_threads(1)
        index = faiss.IndexIVFFlat(faiss.IndexFlatIP(rows.shape[1]), rows.shape[1], self.lists,
                                   faiss.METRIC_INNER_PRODUCT)
        index.train(rows)
        index.add(rows)
        faiss.write_index(index, str(folder / "index.faiss"))

    def open(self, folder):
        import faiss
        import numpy
        faiss.omp_set_num_threads(1)
        self.faiss, self.numpy = faiss, numpy
        self.index = faiss.read_index(str(folder / "index.faiss"))
        self.index.nprobe = self.probes

    def find(self, row):
        return self.index.search(row[None, :], TOP)[1][0].tolist()

    def add(self, name, row):
        self.index.add_with_ids(row[None, :], self.numpy.array([name]))

    def remove(self, name):
        self.index.remove_ids(self.numpy.array([name]))


class Hnswlib(Vectors):
    ef = 64

    def make(self, folder, ids, rows):
        import hnswlib
        index = hnswlib.Index(space="ip", dim=rows.shape[1])
        index.init_index(max_elements=len(rows) + 10_000, M=16, ef_construction=100)
        index.set_num_threads(1)
        index.add_items(rows)
        index.save_index(str(folder / "index.hnsw"))
        (folder / "dim").write_text(str(rows.shape[1]))

    def open(self, folder):
        import hnswlib
        self.index = hnswlib.Index(space="ip", dim=int((folder / "dim").read_text()))
        self.index.load_index(str(folder / "index.hnsw"), max_elements=1_000_000)
        self.index.set_num_threads(1)
        self.index.set_ef(self.ef)

    def find(self, row):
        return self.index.knn_query(row[None, :], k=TOP)[0][0].tolist()

    def add(self, name, row):
        self.index.add_items(row[None, :], [name])

    def remove(self, name):
        self.index.mark_deleted(name)


class Lancedb(Vectors):
    """IVF with product codes, re-ranked with the vectors themselves."""
    probes, refine = 64, 10

    def make(self, folder, ids, rows):
        import lancedb
        import pyarrow
        column = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(rows.ravel()), rows.shape[1])
        table = lancedb.connect(folder / "lance").create_table(
            "items", pyarrow.table({"id": ids, "vector": column}))
        table.create_index(metric="cosine", num_partitions=256, num_sub_vectors=rows.shape[1] // 4)

    def open(self, folder):
        import lancedb
        self.table = lancedb.connect(folder / "lance").open_table("items")

    def find(self, row):
        found = (self.table.search(row).metric("cosine").nprobes(self.probes)
                 .refine_factor(self.refine).limit(TOP).select(["id"]).to_arrow())
        return found["id"].to_pylist()

    def add(self, name, row):
        self.table.add([{"id": name, "vector": row}])

    def remove(self, name):
        self.table.delete(f"id = {name}")


TOOLS = {"sosie": SosieTexts, "datasketch": Datasketch, "datasketch, 21x6": DatasketchForRecall,
         "datasketch on Redis": DatasketchOnRedis, "gaoya": Gaoya, "sosie, vectors": SosieVectors,
         "sosie, lists, recall .95": SosieLists,
         "FAISS IVF": FaissIvf, "hnswlib": Hnswlib, "LanceDB": Lancedb}


def seconds_of(call, *columns) -> float:
    began = time.perf_counter()
    for arguments in zip(*columns):
        call(*arguments)
    return time.perf_counter() - began


def make(tool: str, folder: str, items: str, out: str):
    index = TOOLS[tool]()
    ids, rows = index.read(items)
    began = time.perf_counter()
    index.make(Path(folder), ids, rows)
    answer({"seconds": time.perf_counter() - began}, out)


def use(tool: str, folder: str, items: str, asked: str, added: str, out: str):
    index = TOOLS[tool]()
    index.items = items
    asked_ids, asked_rows = index.read(asked)
    added_ids, added_rows = index.read(added)
    began = time.perf_counter()
    index.open(Path(folder))
    index.find(asked_rows[0])
    opened = time.perf_counter() - began
    found: list[list] = []
    looked = seconds_of(lambda row: found.append(index.find(row)), asked_rows)
    answer({"open_seconds": opened, "look_up_seconds": looked / len(asked_ids),
            "adds_a_second": len(added_ids) / seconds_of(index.add, added_ids, added_rows),
            "removals_a_second": len(added_ids) / seconds_of(index.remove, added_ids),
            "found": found}, out)


def answer(figures: dict, out: str):
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    Path(out).write_text(json.dumps(figures))


if __name__ == "__main__":
    {"make": make, "use": use}[sys.argv[1]](*sys.argv[2:])
