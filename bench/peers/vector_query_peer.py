"""Looks vectors up by cosine with a library, for bench/vector_queries.py.

    vector_query_peer.py TOOL DATA.npy QUERIES.npy K OUT.npz

Everything runs on one thread. Rows have length 1, so inner products and Euclidean distances give
the same order. Prints JSON: CPU seconds to build, then for each setting of the search the number of
queries answered per CPU second, all at once and one by one; OUT has the ids found with each
setting.
"""

import json
import statistics
import sys
import time

import numpy

ROUNDS = 3
SINGLES = 200
LISTS = 1024


def flat(data):
    import faiss
    index = faiss.IndexFlatIP(data.shape[1])
    index.add(data)
    return {"": lambda queries, k: index.search(queries, k)[1]}


def ivf(data):
    import faiss
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(data.shape[1]), data.shape[1], LISTS,
                               faiss.METRIC_INNER_PRODUCT)
    index.train(data)
    index.add(data)

    def with_probes(probes):
        def search(queries, k):
            index.nprobe = probes
            return index.search(queries, k)[1]
        return search
    return {f"{probes} of {LISTS} lists": with_probes(probes) for probes in (4, 16, 64)}


def lsh(data):
    import faiss
    index = faiss.IndexLSH(data.shape[1], 1024)
    index.add(data)
    return {"1024 bits": lambda queries, k: index.search(queries, k)[1]}


def hnsw(data):
    import hnswlib
    index = hnswlib.Index(space="ip", dim=data.shape[1])
    index.init_index(max_elements=len(data), M=16, ef_construction=100)
    index.set_num_threads(1)
    index.add_items(data)

    def with_ef(ef):
        def search(queries, k):
            index.set_ef(ef)
            return index.knn_query(queries, k=k)[0]
        return search
    return {f"ef {ef}": with_ef(ef) for ef in (16, 32, 64, 128, 256)}


def sosie_index(recall):
    """The index of the Python package: every vector if the recall is 1, otherwise lists."""
    def make(data):
        import sosie
        options = {} if recall == 1 else {"method": "lsh", "recall": recall}
        index = sosie.Index("vectors", threads=1, **options)
        index.add(data)
        index.query(data[:1], top=1)

        def search(queries, k):
            found = index.query(queries, top=k)
            return found["left"], found["right"]
        return {f"recall {recall:g}": search}
    return make


def as_rows(found, queries, k):
    """Returns the results of a search as a row of ids per query; some tools return pairs
    instead."""
    if not isinstance(found, tuple):
        return found
    left, right = found
    ids = numpy.full((len(queries), k), -1)
    ids[left, numpy.arange(len(left)) - numpy.searchsorted(left, left)] = right
    return ids


def seconds_of(call):
    start = time.process_time()
    call()
    return time.process_time() - start


def main():
    tool, data_path, queries_path, k, out = sys.argv[1:]
    data, queries, k = numpy.load(data_path), numpy.load(queries_path), int(k)
    if tool.startswith("faiss"):
        import faiss
        faiss.omp_set_num_threads(1)
    makers = {"faiss Flat": flat, "faiss IVF": ivf, "faiss LSH": lsh, "hnswlib": hnsw,
              **{f"sosie Index {recall:g}": sosie_index(recall) for recall in (1, 0.99, 0.95, 0.9)}}
    start = time.process_time()
    searches = makers[tool](data)
    built = time.process_time() - start
    found, settings = {}, []
    for name, search in searches.items():
        found[name] = as_rows(search(queries, k), queries, k)
        batched = [seconds_of(lambda: search(queries, k)) for _ in range(ROUNDS)]
        singles = queries[:SINGLES]
        one_by_one = [seconds_of(lambda: [search(row[None, :], k) for row in singles])
                      for _ in range(ROUNDS)]
        settings.append({"setting": name,
                         "batched_per_s": len(queries) / statistics.median(batched),
                         "single_per_s": len(singles) / statistics.median(one_by_one)})
    numpy.savez(out, **{f"found{i}": ids for i, ids in enumerate(found.values())})
    print(json.dumps({"build_seconds": built, "settings": settings}))


if __name__ == "__main__":
    main()
