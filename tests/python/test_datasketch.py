"""sosie.datasketch gives the same values, candidates and errors as datasketch, and reads its
pickles."""

from __future__ import annotations

import base64
import functools
import io
import pickle
import random
import sqlite3
import struct

import numpy as np
import pytest

import sosie
from sosie.datasketch import (
    LeanMinHash,
    MinHash,
    MinHashLSH,
    MinHashLSHForest,
    WeightedMinHash,
    WeightedMinHashGenerator,
    load,
    loads,
    sha1_hash32,
    sha1_hash64,
)

try:
    import datasketch as theirs
except ImportError:  # the golden numbers do not need it
    theirs = None

needs_theirs = pytest.mark.skipif(theirs is None, reason="needs datasketch")
SCHEMES = ["affine32", "affine64", "legacy"]
# Printed by datasketch 2.0.0: MinHash(4, 1, scheme=...) after update(b"Hello"), and after update(12)
# with hashfunc=lambda value: value.
GOLDEN = {
    "affine32": ([3231258861, 1388533999, 831950533, 1845606703],
                 [3390801840, 1031856670, 296110086, 2033013928]),
    "affine64": ([17263807126536662982, 6203611050164820875, 4141308390362884389, 4915270424612038026],
                 [6515776736962512195, 1687290233058649734, 4189671822832969014, 14072442779306995011]),
    "legacy": ([734825475, 960773806, 359816889, 342714745],
               [3860209500, 2304395517, 986332559, 1394468194]),
}
# pickle.dumps(MinHash(4, 1)) after update(b"Hello") of datasketch 1.10.0 and 2.0.0.
PICKLED = {
    "legacy": "gASVvwEAAAAAAACMEmRhdGFza2V0Y2gubWluaGFzaJSMB01pbkhhc2iUk5QpgZR9lCiMBHNlZWSUSwGMCG51bV9wZXJt"
    "lEsEjAhoYXNoZnVuY5SME2RhdGFza2V0Y2guaGFzaGZ1bmOUjAtzaGExX2hhc2gzMpSTlIwKaGFzaHZhbHVlc5SMFm51"
    "bXB5Ll9jb3JlLm11bHRpYXJyYXmUjAxfcmVjb25zdHJ1Y3SUk5SMBW51bXB5lIwHbmRhcnJheZSTlEsAhZRDAWKUh5RS"
    "lChLAUsEhZRoD4wFZHR5cGWUk5SMAnU4lImIh5RSlChLA4wBPJROTk5K/////0r/////SwB0lGKJQyADjMwrAAAAAK4+"
    "RDkAAAAAuV5yFQAAAAB5aW0UAAAAAJR0lGKMDHBlcm11dGF0aW9uc5RoDmgRSwCFlGgTh5RSlChLAUsCSwSGlGgbiENA"
    "7IBH/yX0wQpIFLzujC9nGIrDzCD/fgcAhR7B/8uqZQ3BU3A8T8uRBYFQhmWQgKMXSB5OY8y/rg/8eXSr7ap2GJR0lGKM"
    "CV9ncHVfbW9kZZSMB2Rpc2FibGWUjAZfYV9ncHWUTowGX2JfZ3B1lE51Yi4=",
    "affine32": "gASVowEAAAAAAACMEmRhdGFza2V0Y2gubWluaGFzaJSMB01pbkhhc2iUk5QpgZR9lCiMBnNjaGVtZZSMCGFmZmluZTMy"
    "lIwEc2VlZJRLAYwIbnVtX3Blcm2USwSMCGhhc2hmdW5jlIwTZGF0YXNrZXRjaC5oYXNoZnVuY5SMC3NoYTFfaGFzaDMy"
    "lJOUjApoYXNodmFsdWVzlIwWbnVtcHkuX2NvcmUubXVsdGlhcnJheZSMDF9yZWNvbnN0cnVjdJSTlIwFbnVtcHmUjAdu"
    "ZGFycmF5lJOUSwCFlEMBYpSHlFKUKEsBSwSFlGgRjAVkdHlwZZSTlIwCdTSUiYiHlFKUKEsDjAE8lE5OTkr/////Sv//"
    "//9LAHSUYolDEO0YmcDvWMNSxY6WMS+5AW6UdJRijAxwZXJtdXRhdGlvbnOUaBBoE0sAhZRoFYeUUpQoSwFLAksEhpRo"
    "HYlDIEvog9XXAY/+GV/OcJEoeN3/fgcAicPMIMuqZU2FHsH/lHSUYowJX2dwdV9tb2RllIwHZGlzYWJsZZSMBl9hX2dw"
    "dZROjAZfYl9ncHWUTnViLg==",
}


def same(value: int) -> int:
    return value


def made_sets(seed: int, count: int) -> list[list[bytes]]:
    """Sets of 20 tokens, every second of which has some tokens changed."""
    draw = random.Random(seed)
    sets = []
    for _ in range(count // 2):
        tokens = [b"w%d" % draw.randrange(300) for _ in range(20)]
        sets += [tokens, tokens[: draw.randrange(8, 20)] + [b"y%d" % draw.randrange(50)]]
    return sets


@pytest.mark.parametrize("scheme", SCHEMES)
def test_values_are_those_that_datasketch_printed(scheme):
    text, number = MinHash(4, 1, scheme=scheme), MinHash(4, 1, scheme=scheme, hashfunc=same)
    text.update(b"Hello")
    number.update(12)
    assert (text.hashvalues.tolist(), number.hashvalues.tolist()) == GOLDEN[scheme]


@needs_theirs
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("num_perm", [1, 4, 63, 128, 257])
def test_values_are_those_of_the_library(scheme, num_perm):
    draw = random.Random(num_perm)
    tokens = [draw.randbytes(draw.randrange(200)) for _ in range(300)]
    numbers = [0, 1, 12, 2**32 - 1] + ([2**63, 2**64 - 1] if scheme == "affine64" else [])
    for seed in (1, 123456789):
        for hashfunc, items in ((None, tokens), (same, numbers)):
            one = theirs.MinHash(num_perm, seed, hashfunc=hashfunc, scheme=scheme)
            other = MinHash(num_perm, seed, hashfunc=hashfunc, scheme=scheme)
            assert np.array_equal(one.permutations, other.permutations)
            for sketch in (one, other):
                sketch.update(items[0])
                sketch.update_batch(items[1:])
            assert np.array_equal(one.hashvalues, other.hashvalues)
            assert one.hashvalues.dtype == other.hashvalues.dtype
            assert one.count() == other.count()


def test_hash_functions_are_the_first_bytes_of_sha1():
    assert sha1_hash32(b"abc") == 0x363E99A9 and sha1_hash64(b"abc") == 0x6A810647363E99A9


@pytest.mark.parametrize("scheme", SCHEMES)
def test_elements_one_by_one_are_those_of_a_batch(scheme):
    tokens = [b"%d" % number for number in range(500)]
    one, many = MinHash(scheme=scheme), MinHash(scheme=scheme)
    for token in tokens:
        one.update(token)
    many.update_batch(iter(tokens))
    before = many.hashvalues
    many.update_batch([])
    assert one == many and many.hashvalues is before
    assert MinHash.bulk([tokens, []], scheme=scheme) == [one, MinHash(scheme=scheme)]
    own = MinHash(scheme=scheme, hashfunc=lambda token: (sha1_hash64 if scheme == "affine64" else
                                                         sha1_hash32)(token))
    own.update_batch(tokens)
    assert np.array_equal(own.hashvalues, one.hashvalues)


@pytest.mark.parametrize("wrong, message", [("text", "encoded"), (3, "buffer"), ([b"a"], "buffer"),
                                            (np.zeros((4, 4)).T, "contiguous")])
def test_what_hashlib_refuses_is_refused_and_changes_nothing(wrong, message):
    sketch = MinHash()
    with pytest.raises((TypeError, ValueError), match=message):
        sketch.update_batch([b"a", wrong])
    assert sketch.is_empty()


def test_elements_may_be_any_buffer():
    sketch, plain = MinHash(), MinHash()
    sketch.update_batch([bytearray(b"ab"), memoryview(b"cd"), np.int64(7), np.arange(3, dtype=np.uint8)])
    plain.update_batch([b"ab", b"cd", b"\7" + bytes(7), b"\0\1\2"])
    assert sketch == plain


def test_a_held_state_does_not_change():
    sketch = MinHash()
    held, copied = sketch.hashvalues, sketch.copy()
    sketch.update(b"a")
    sketch.merge(sketch.copy())
    assert (held == 2**32 - 1).all() and copied.is_empty() and not sketch.is_empty()
    digest = sketch.digest()
    digest[:] = 0
    assert not sketch.hashvalues.min() == 0
    sketch.clear()
    assert sketch.is_empty()


def test_unions_and_similarities():
    one, other = (MinHash(256) for _ in range(2))
    one.update_batch(b"%d" % n for n in range(100))
    other.update_batch(b"%d" % n for n in range(50, 150))
    assert one.jaccard(one.copy()) == 1.0 and abs(one.jaccard(other) - 1 / 3) < 0.12
    union = MinHash.union(one, other)
    assert abs(union.count() - 150) < 40
    one.merge(other)
    assert union == one and one != other and type(union) is MinHash
    assert LeanMinHash.union(LeanMinHash(one), LeanMinHash(other)) == LeanMinHash(union)
    with pytest.raises(TypeError):
        hash(one)


@pytest.mark.parametrize("changed", [{"num_perm": 64}, {"seed": 2}, {"scheme": "legacy"}])
@pytest.mark.parametrize("verb", ["jaccard", "merge", "union"])
def test_sketches_that_cannot_be_compared_are_refused(changed, verb):
    with pytest.raises(ValueError, match="different"):
        getattr(MinHash(), verb)(MinHash(**changed)) if verb != "union" else (
            MinHash.union(MinHash(), MinHash(**changed)))


@pytest.mark.parametrize("wrong, error", [
    ({"num_perm": 0}, ValueError), ({"num_perm": 2**32 + 1}, ValueError),
    ({"hashfunc": 3}, ValueError), ({"scheme": "affine16"}, ValueError),
    ({"hashvalues": [1, 2]}, ValueError), ({"permutations": ([1], [1])}, ValueError),
    ({"hashvalues": [2**32], "scheme": "affine32"}, ValueError),
    ({"hashvalues": np.array([-1]), "scheme": "affine32"}, ValueError),
    ({"num_perm": 1, "permutations": ([2], [1]), "scheme": "affine32"}, ValueError),
    ({"num_perm": 2, "permutations": ([1], [1]), "scheme": "legacy"}, ValueError),
])
def test_what_cannot_be_meant_is_refused_as_there(wrong, error):
    with pytest.raises(error):
        MinHash(**wrong)
    if theirs is not None:
        with pytest.raises(error):
            theirs.MinHash(**wrong)


def test_a_hash_that_is_too_wide_is_refused():
    for scheme, error in (("affine32", ValueError), ("affine64", ValueError), ("legacy", OverflowError)):
        with pytest.raises(error):
            MinHash(hashfunc=same, scheme=scheme).update(2**64)


def test_graphics_cards_are_refused_when_they_are_needed():
    sketch = MinHash(gpu_mode="always")
    with pytest.raises(RuntimeError):
        sketch.update_batch([b"a"])
    MinHash(gpu_mode="detect").update_batch([b"a"])
    with pytest.warns(DeprecationWarning):
        MinHash(hashobj=object())


@pytest.mark.parametrize("byteorder", "@=<>!")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_bytes_of_lean_sketches(scheme, byteorder):
    sketch = MinHash(10, seed=7, scheme=scheme)
    sketch.update(b"a")
    lean = LeanMinHash(sketch)
    buffer = bytearray(lean.bytesize(byteorder))
    lean.serialize(buffer, byteorder)
    assert LeanMinHash.deserialize(buffer, byteorder) == lean == LeanMinHash(sketch).copy()
    assert hash(LeanMinHash.deserialize(bytes(buffer), byteorder)) == hash(lean)
    assert LeanMinHash(seed=7, hashvalues=sketch.digest(), scheme=scheme) == lean
    with pytest.raises(ValueError):
        lean.serialize(bytearray(len(buffer) - 1), byteorder)
    for cut in (0, 11, len(buffer) - 1):
        with pytest.raises(struct.error):
            LeanMinHash.deserialize(buffer[:cut], byteorder)
    if theirs is not None:
        copy = theirs.MinHash(10, seed=7, scheme=scheme)
        copy.update(b"a")
        expected = bytearray(theirs.LeanMinHash(copy).bytesize(byteorder))
        theirs.LeanMinHash(copy).serialize(expected, byteorder)
        assert buffer == expected


def test_lean_sketches_are_frozen():
    with pytest.raises(TypeError):
        LeanMinHash(MinHash()).update(b"a")
    for wrong in ({}, {"seed": 1}, {"seed": 1, "hashvalues": [1]},
                  {"seed": 1, "hashvalues": [], "scheme": "affine32"},
                  {"minhash": MinHash(), "scheme": "legacy"}):
        with pytest.raises(ValueError):
            LeanMinHash(**wrong)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_own_pickles_come_back_by_both_readers(protocol):
    sketch = MinHash(num_perm=32, seed=5)
    sketch.update(b"a")
    lean = LeanMinHash(sketch)
    index, forest = MinHashLSH(num_perm=32), MinHashLSHForest(32)
    index.insert("a", sketch)
    forest.add(("a", 1), sketch)
    forest.index()
    pickled = pickle.dumps([sketch, lean, index, forest], protocol)
    for read in (loads, pickle.loads, lambda data: load(io.BytesIO(data))):
        one, two, three, four = read(pickled)
        assert one == sketch and two == lean
        assert three.query(one) == ["a"] and four.query(one, 1) == [("a", 1)]
        one.update(b"b")
        assert np.array_equal(one.permutations, sketch.permutations)
        assert type(one.hashvalues) is type(two.hashvalues) is np.ndarray


@pytest.mark.parametrize("scheme", PICKLED)
def test_pickles_of_datasketch_become_sketches_of_their_scheme(scheme):
    sketch = loads(base64.b64decode(PICKLED[scheme]))
    assert type(sketch) is MinHash and sketch.scheme == scheme
    assert sketch.hashvalues.tolist() == GOLDEN[scheme][0]
    again = MinHash(4, 1, scheme=scheme)
    again.update(b"Hello")
    sketch.update(b"more")
    again.update(b"more")
    assert sketch == again


@needs_theirs
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_the_library_are_read(protocol):
    sets = made_sets(3, 60)
    sketches = theirs.MinHash.bulk(sets, num_perm=64)
    index, forest = theirs.MinHashLSH(0.5, 64, prepickle=True), theirs.MinHashLSHForest(64)
    for key, sketch in enumerate(sketches):
        index.insert((key, "k"), sketch)
        forest.add(key, sketch)
    forest.index()
    generator = theirs.WeightedMinHashGenerator(4, 16)
    weighted = generator.minhash([1, 0, 2, 3])
    pickled = pickle.dumps((sketches, index, forest, generator, weighted), protocol)
    ours, our_index, our_forest, our_generator, our_weighted = loads(pickled)
    assert ours == MinHash.bulk(sets, num_perm=64)
    assert [sorted(our_index.query(sketch)) for sketch in ours] == [
        sorted(index.query(sketch)) for sketch in sketches]
    assert [our_forest.query(sketch, 3) for sketch in ours] == [
        forest.query(sketch, 3) for sketch in sketches]
    assert our_generator.minhash([1, 0, 2, 3]) == our_weighted
    our_index.remove((0, "k"))
    assert (0, "k") not in our_index


class Wanted:
    """An object that no pickle of sketches contains."""

    def __init__(self, *made: object) -> None:
        self.made = made

    def __reduce__(self) -> object:
        return self.made


@pytest.mark.parametrize("wanted, name", [
    (Wanted(eval, ("1",)), "builtins.eval"),
    (Wanted(np.ndarray, ((2,),)), "broken"),
    (Wanted(getattr, (1, "real")), "real"),
    (Wanted(MinHashLSH, (0.5, 4, (0.5, 0.5), None, {"type": "sqlite", "path": "made.db"})), "broken"),
    (Wanted(MinHash, (4,)), "broken"),
    (np.array([object()], dtype=object), "'O"),
    (np.array(["text"]), "'U4'"),
    (same, f"{__name__}.same"),
    (Wanted(bytearray, (10**15,)), "broken"),
])
@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
def test_a_pickle_that_wants_more_is_refused_by_name(wanted, name, protocol, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pickle.UnpicklingError, match=name):
        loads(pickle.dumps({"a": wanted}, protocol))
    assert not list(tmp_path.iterdir())


def test_broken_pickles_are_refused():
    whole = pickle.dumps([MinHash(4), MinHashLSH(num_perm=4, params=(2, 2)), MinHashLSHForest(4, 2)])
    draw = random.Random(1)
    for _ in range(3000):
        data = bytearray(whole[: draw.randrange(1, len(whole) + 1)])
        for _ in range(draw.randrange(3)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        try:
            loads(bytes(data))
        except (pickle.UnpicklingError, MemoryError):
            pass


def test_hash_functions_of_pickles_are_given_by_name():
    sketch = MinHash(4, hashfunc=same)
    sketch.update(12)
    pickled = pickle.dumps(sketch)
    with pytest.raises(pickle.UnpicklingError, match=rf"functions=\{{'{__name__}.same'"):
        loads(pickled)
    assert loads(pickled, functions={f"{__name__}.same": same}).hashfunc is same


@needs_theirs
@pytest.mark.parametrize("num_perm", [2, 16, 50, 128])
def test_bands_are_chosen_as_there(num_perm):
    for threshold in (0.0, 0.1, 0.33, 0.5, 0.75, 0.8, 0.95):
        for weights in ((0.5, 0.5), (0.2, 0.8), (0.9, 0.1)):
            found = []
            for kind in (MinHashLSH, theirs.MinHashLSH):
                try:
                    index = kind(threshold, num_perm, weights)
                    found.append((index.b, index.r))
                except ValueError:  # fewer than two bands
                    found.append(None)
            assert found[0] == found[1], (threshold, weights)


def test_bands_of_common_thresholds():
    """Printed by datasketch 2.0.0."""
    found = [(index.b, index.r) for index in (MinHashLSH(threshold) for threshold in (0.5, 0.7, 0.8, 0.9))]
    assert found == [(25, 5), (14, 9), (9, 13), (5, 25)]


@pytest.fixture(params=["dict", "sqlite"])
def storage(request, tmp_path):
    return {"type": "dict"} if request.param == "dict" else {"type": "sqlite", "path": tmp_path / "lsh.db"}


@needs_theirs
@pytest.mark.parametrize("options", [{"threshold": 0.5}, {"params": (20, 5)}, {"prepickle": True},
                                     {"hashfunc": lambda band: band[:3]}])
def test_an_index_gives_the_candidates_of_the_library(options, storage):
    sets = made_sets(2, 120)
    ours, their = MinHash.bulk(sets), theirs.MinHash.bulk(sets)
    index = MinHashLSH(num_perm=128, storage_config=storage, **options)
    expected = theirs.MinHashLSH(num_perm=128, **options)
    with index.insertion_session() as session:
        for key, (one, other) in enumerate(zip(ours, their)):
            session.insert(key, one)
            expected.insert(key, other)
    for removed in (range(0), range(0, 120, 3)):
        for key in removed:
            index.remove(key)
            expected.remove(key)
        assert [sorted(index.query(one)) for one in ours] == [sorted(expected.query(one)) for one in their]
        assert [index._query_b(one, 2) for one in ours] == [expected._query_b(one, 2) for one in their]
        assert index.get_counts() == expected.get_counts()
        assert index.get_subset_counts(1, 2, 7) == expected.get_subset_counts(1, 2, 7)
        assert {key: index.keys[key] for key in index.keys} == {
            key: list(expected.keys[key]) for key in expected.keys}
    for one, other in zip(ours[4:6], their[4:6]):
        index.add_to_query_buffer(one)
        expected.add_to_query_buffer(other)
    assert sorted(index.collect_query_buffer()) == sorted(expected.collect_query_buffer())
    assert index.collect_query_buffer() == []


def test_keys_of_an_index(storage):
    index = MinHashLSH(num_perm=8, params=(4, 2), storage_config=storage)
    assert index.is_empty() and (index.h, index.b, index.r) == (8, 4, 2)
    sketch = MinHash(8)
    sketch.update(b"a")
    for key in ("a", 1, b"a"):
        index.insert(key, sketch)
    assert set(index.query(sketch)) == {"a", 1, b"a"} and "a" in index and "b" not in index
    assert not index.is_empty() and index.keys.status() == {"keyspace_size": 3}
    with pytest.raises(ValueError, match="exists"):
        index.insert("a", sketch)
    index.insert("a", sketch, check_duplication=False)
    with index.deletion_session() as session:
        session.remove("a")
    with pytest.raises(ValueError, match="exist"):
        index.remove("a")
    again = pickle.loads(pickle.dumps(index))
    assert set(again.query(sketch)) == {1, b"a"}
    for wrong in (MinHash(9), MinHash(8, scheme="legacy")):
        for verb in (index.query, index.add_to_query_buffer, lambda given: index.insert("x", given)):
            with pytest.raises(ValueError):
                verb(wrong)
    with pytest.raises(ValueError):
        index._query_b(sketch, 5)
    with pytest.raises(ValueError, match="0 rows"):
        MinHashLSH(num_perm=8, params=(2, 0))


def test_indexes_are_merged(storage):
    one, other = MinHashLSH(num_perm=8, params=(4, 2), storage_config=storage), MinHashLSH(
        num_perm=8, params=(4, 2))
    sketch = MinHash(8)
    sketch.update(b"a")
    one.insert("a", sketch)
    other.insert("b", sketch)
    one.merge(other, check_overlap=True)
    assert set(one.query(sketch)) == {"a", "b"}
    with pytest.raises(ValueError, match="both"):
        one.merge(other, check_overlap=True)
    with pytest.raises(ValueError, match="bands"):
        one.merge(MinHashLSH(num_perm=8, params=(2, 4)))
    legacy = MinHashLSH(num_perm=8, params=(4, 2))
    legacy.insert("c", MinHash(8, scheme="legacy"))
    with pytest.raises(ValueError, match="scheme"):
        one.merge(legacy)
    with pytest.raises(ValueError, match="MinHashLSHForest"):
        one.merge(MinHashLSHForest(8))


@pytest.mark.parametrize("wrong", [
    {"threshold": 1.5}, {"threshold": -0.1}, {"num_perm": 1}, {"weights": (0.5, 1.5)},
    {"weights": (0.5, 0.4)}, {"params": (64, 3)}, {"params": (1, 4)}, {"threshold": 1.0},
    {"storage_config": {"type": "other"}},
])
def test_an_index_that_cannot_be_meant_is_refused_as_there(wrong):
    for kind in [MinHashLSH] + ([theirs.MinHashLSH] if theirs is not None else []):
        with pytest.raises(ValueError):
            kind(**wrong)


@pytest.mark.parametrize("kind", ["redis", "cassandra", "aioredis"])
def test_storages_that_are_not_there_are_refused_with_the_way_out(kind):
    with pytest.raises(sosie.UnsupportedError, match=rf"'{kind}' is none of dict, sqlite(.|\n)*sosie serve"):
        MinHashLSH(storage_config={"type": kind})


def test_keys_that_a_storage_cannot_hold_are_refused(tmp_path):
    config = {"type": "sqlite", "path": tmp_path / "lsh.db"}
    sketch = MinHash()
    with pytest.raises(TypeError, match="prepickle"):
        MinHashLSH(storage_config=config).insert((1, 2), sketch)
    with pytest.raises(TypeError, match="Wanted"):
        MinHashLSH(prepickle=True).insert(Wanted(same, (1,)), sketch)
    for wrong in ({"type": "sqlite"}, {**config, "basename": b"x"}):
        with pytest.raises(ValueError):
            MinHashLSH(storage_config=wrong)


def test_a_file_is_an_index_that_stays(tmp_path):
    config = {"type": "sqlite", "path": tmp_path / "lsh.db"}
    sketch = MinHash(num_perm=64)
    sketch.update(b"a")
    index = MinHashLSH(0.5, 64, storage_config=config)
    with pytest.raises(ZeroDivisionError), index.insertion_session() as session:
        session.insert("a", sketch)
        raise ZeroDivisionError
    again = MinHashLSH(0.5, 64, storage_config=config)
    assert again.query(sketch) == ["a"] and again._minhash_scheme == "affine32"
    with pytest.raises(ValueError, match="scheme"):
        again.insert("b", MinHash(num_perm=64, scheme="legacy"))
    with pytest.raises(ValueError, match=r"num_perm=64, params=\(\d+, \d+\)"):
        MinHashLSH(0.9, 64, storage_config=config)


def test_a_change_that_fails_leaves_a_file_as_it_was(tmp_path):
    index = MinHashLSH(num_perm=8, params=(4, 2), storage_config={"type": "sqlite", "path": tmp_path / "x"})
    with pytest.raises(OverflowError):
        index.insert(2**70, MinHash(8))
    with index.insertion_session() as session:
        session.insert("a", MinHash(8))
        with pytest.raises(OverflowError):
            session.insert(2**70, MinHash(8))
    assert index.keys.keys() == ["a"] and [table.size() for table in index.hashtables] == [1] * 4


@pytest.mark.parametrize("content", [b"no database" * 100, b"SQLite format 3\0" + bytes(1000)])
def test_a_file_of_something_else_is_refused(content, tmp_path):
    (tmp_path / "lsh.db").write_bytes(content)
    with pytest.raises(sosie.FileError, match="lsh.db"):
        MinHashLSH(storage_config={"type": "sqlite", "path": tmp_path / "lsh.db"})
    assert (tmp_path / "lsh.db").read_bytes() == content


@needs_theirs
@pytest.mark.parametrize("trees", [1, 5, 8, 128])
def test_a_forest_gives_the_keys_of_the_library(trees):
    sets = made_sets(4, 200)
    forest, expected = MinHashLSHForest(128, trees), theirs.MinHashLSHForest(128, trees)
    ours, their = MinHash.bulk(sets), theirs.MinHash.bulk(sets)
    for key, (one, other) in enumerate(zip(ours, their)):
        forest.add(key, one)
        expected.add(key, other)
        if key == 150:
            forest.index()
            expected.index()
    for _ in range(2):  # with keys that are not indexed yet, and without
        for most in (1, 2, 7, 500):
            assert [forest.query(one, most) for one in ours[::7]] == [
                expected.query(one, most) for one in their[::7]]
        forest.index()
        expected.index()
    assert np.array_equal(forest.get_minhash_hashvalues(3), expected.get_minhash_hashvalues(3))


def test_what_a_forest_refuses():
    for wrong in ((0, 1), (1, 0), (4, 5)):
        with pytest.raises(ValueError):
            MinHashLSHForest(*wrong)
    forest, sketch = MinHashLSHForest(16, 4), MinHash(16)
    forest.add("a", sketch)
    assert forest.is_empty() and "a" in forest and "b" not in forest
    assert forest.query(sketch, 1) == []
    forest.index()
    assert not forest.is_empty() and forest.query(sketch, 1) == ["a"]
    with pytest.raises(ValueError):
        forest.add("a", sketch)
    for wrong in (MinHash(8), MinHash(16, scheme="legacy")):
        with pytest.raises(ValueError):
            forest.add("b", wrong)
        with pytest.raises(ValueError):
            forest.query(wrong, 1)
    with pytest.raises(ValueError):
        forest.query(sketch, 0)
    with pytest.raises(KeyError):
        forest.get_minhash_hashvalues("b")


@needs_theirs
def test_weighted_sketches_are_those_of_the_library():
    ours, their = WeightedMinHashGenerator(50, 64, 2), theirs.WeightedMinHashGenerator(50, 64, 2)
    bags = np.random.RandomState(1).randint(0, 5, (20, 50))
    bags[7] = 0
    for bag in np.delete(bags, 7, axis=0):
        assert np.array_equal(ours.minhash(bag).hashvalues, their.minhash(bag).hashvalues)
    import scipy.sparse

    for matrix in (bags, scipy.sparse.csr_matrix(bags)):
        many, expected = ours.minhash_many(matrix), their.minhash_many(matrix)
        assert many[7] is None and expected[7] is None
        for one, other in zip(many[:7], expected[:7]):
            assert np.array_equal(one.hashvalues, other.hashvalues)


def test_weighted_sketches():
    generator = WeightedMinHashGenerator(3, 256)
    one, other = generator.minhash([1, 2, 3]), generator.minhash([1, 2, 6])
    assert abs(one.jaccard(other) - 6 / 9) < 0.1 and one.copy() == one != other
    assert len(one) == 256 and np.array_equal(one.digest(), one.hashvalues)
    with pytest.raises(ValueError):
        one.jaccard(WeightedMinHash(2, one.hashvalues))
    for wrong in ([1, 2], [0, 0, 0]):
        with pytest.raises(ValueError):
            generator.minhash(wrong)
    with pytest.raises(TypeError):
        generator.minhash(3)
    index, forest = MinHashLSH(num_perm=256), MinHashLSHForest(256)
    for key, sketch in enumerate((one, other)):
        index.insert(key, sketch)
        forest.add(key, sketch)
    forest.index()
    assert 0 in index.query(one) and forest.query(other, 1) == [1]


@pytest.mark.parametrize("name", ["HNSW", "HyperLogLog", "MinHashLSHEnsemble", "bBitMinHash"])
def test_names_that_are_not_here_say_what_is(name):
    with pytest.raises(ImportError, match=f"sosie.datasketch has no {name}: "):
        exec(f"from sosie.datasketch import {name}")
    with pytest.raises(AttributeError):
        sosie.datasketch.Another
    assert not hasattr(sosie.datasketch, name)


def sketch_of(*words: str) -> MinHash:
    sketch = MinHash(8)
    sketch.update_batch(word.encode() for word in words)
    return sketch


def test_a_key_that_is_inserted_again_is_replaced(storage):
    index = MinHashLSH(num_perm=8, params=(4, 2), storage_config=storage)
    index.insert("z", sketch_of("one"))
    index.insert("z", sketch_of("two"), check_duplication=False)
    assert index.query(sketch_of("one")) == [] and index.query(sketch_of("two")) == ["z"]
    other = MinHashLSH(num_perm=8, params=(4, 2))
    other.insert("z", sketch_of("three"))
    index.merge(other)
    assert index.query(sketch_of("two")) == [] and index.query(sketch_of("three")) == ["z"]
    index.remove("z")
    assert index.query(sketch_of("three")) == [] and index.is_empty()


def test_a_file_that_is_read_meanwhile_takes_the_change_later(tmp_path):
    path = tmp_path / "x.db"
    config = {"type": "sqlite", "path": path}
    index = MinHashLSH(num_perm=8, params=(4, 2), storage_config=config)
    index._storage.file.execute("PRAGMA busy_timeout = 1")
    reader = sqlite3.connect(path, isolation_level=None, timeout=0.001)
    seen: set[str] = set()
    insert = functools.partial(index.insert, "b", sketch_of("two"))
    for change in (insert, index.insertion_session):
        if change != insert:
            session = change()
            session.insert("c", sketch_of("three"))
            change = session.close
        reader.execute("BEGIN")
        assert len(reader.execute("SELECT * FROM keys").fetchall()) == len(seen)
        with pytest.raises(sosie.FileError, match="x.db: database is locked"):
            change()
        reader.execute("COMMIT")
        change()
        reader.execute("BEGIN IMMEDIATE")  # nothing is held
        seen = set(MinHashLSH(num_perm=8, params=(4, 2), storage_config=config).keys.keys())
        reader.execute("COMMIT")
    assert seen == {"b", "c"}
    index.close()
    with pytest.raises(sosie.FileError, match="closed"):
        index.query(sketch_of("two"))


def test_a_pickle_of_an_index_whose_file_is_gone_is_refused(tmp_path):
    path = tmp_path / "x.db"
    pickled = pickle.dumps(MinHashLSH(storage_config={"type": "sqlite", "path": path}))
    path.unlink()
    with pytest.raises(sosie.FileError, match="x.db: no such file"):
        pickle.loads(pickled)
    assert not path.exists()


def text(content: str) -> bytes:
    return b"X" + struct.pack("<I", len(content)) + content.encode()


def named(name: str) -> bytes:
    module, _, name = name.rpartition(".")
    return f"c{module}\n{name}\n".encode()


@pytest.mark.parametrize("kind, field, rest", [
    ("minhash.MinHash", "hashvalues", text("scheme") + text("affine32")),
    ("minhash.MinHash", "permutations", text("hashvalues") + b"C\4\0\0\0\0" + text("scheme") + text(
        "affine32")),
    ("weighted_minhash.WeightedMinHash", "hashvalues", b""),
    ("weighted_minhash.WeightedMinHashGenerator", "rs", b""),
], ids=["values", "permutations", "weighted", "generator"])
def test_lists_that_would_grow_are_refused(kind, field, rest):
    """Ten of ten of ten ...: a short pickle of a list that would be a long array."""
    nested = b"(" + b"K\0" * 10 + b"lq\0"
    for depth in range(6):
        nested += b"0(" + (b"h%c" % depth) * 10 + b"lq%c" % (depth + 1)
    data = (b"\x80\3" + named(f"datasketch.{kind}") + b")\x81}(" + text(field) + nested + rest
            + text("seed") + b"K\1ub.")
    with pytest.raises(pickle.UnpicklingError, match="without arrays"):
        loads(data)


def test_a_pickle_changes_nothing_for_later_ones():
    whole = pickle.dumps(MinHash(4))
    for kind in ("datasketch.minhash.MinHash", "sosie.datasketch.minhash.MinHash"):
        with pytest.raises(pickle.UnpicklingError, match="'__new__' of a class"):
            loads(b"\x80\2" + named(kind) + b"N}" + text("__new__") + named(
                "datasketch.hashfunc.sha1_hash32") + b"s\x86b.")
    for function in ("datasketch.hashfunc.sha1_hash32", "_codecs.encode", f"{__name__}.same"):
        with pytest.raises(pickle.UnpicklingError, match="broken"):
            loads(b"\x80\2" + named(function) + b"N}" + text("__module__") + text("os") + b"s\x86b.",
                  {f"{__name__}.same": same})
    assert loads(whole) == MinHash(4) and loads(whole).hashfunc is sha1_hash32
