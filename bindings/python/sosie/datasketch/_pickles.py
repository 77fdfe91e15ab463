"""Reads pickles of datasketch without running the code they name."""

from __future__ import annotations

import collections
import functools
import importlib
import io
import pickle
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .hashfunc import sha1_hash32, sha1_hash64

__all__ = ["load", "loads", "plain_from_pickle"]


def loads(data: bytes, functions: Mapping[str, Callable[..., Any]] | None = None) -> Any:
    """Reads a pickle of datasketch 1.2 or later, or of this package.

    Unlike `pickle.loads`, it runs no code named by the data. It builds arrays, strings, numbers,
    lists, sets, dictionaries, and classes of this package instead of theirs. A hostile pickle can still
    use a lot of memory or end the process: read untrusted data in a limited process of its own.

    Args:
        data (bytes): a pickle of a sketch, an index in memory, or lists and dictionaries of them.
        functions (Mapping[str, Callable]): hash functions by their name in the pickle, such as
            {"farmhash.hash32": farmhash.hash32}. The data may call them with any arguments.

    Raises:
        pickle.UnpicklingError: the pickle is broken, or contains another name, given in the message.
    """
    return load(io.BytesIO(data), functions)


def load(file: Any, functions: Mapping[str, Callable[..., Any]] | None = None) -> Any:
    """Reads a pickle from a file opened for reading bytes; see `loads`.

    Args:
        file (BinaryIO): an open file.
        functions (Mapping[str, Callable]): as for `loads`.
    """
    hint = "; a hash function may be given as functions={{{0!r}: ...}}"
    return _guarded(_Reader(file, {**_PLAIN, **_ARRAYS, **_sketches(), **(functions or {})}, hint))


def plain_from_pickle(data: bytes) -> Any:
    """A key of an index: a string, a number, or a tuple of these."""
    return _guarded(_Reader(io.BytesIO(data), {}, ""))


def _guarded(reader: _Reader) -> Any:
    try:
        return reader.load()
    except (pickle.UnpicklingError, MemoryError):
        raise
    except Exception as error:  # any error that forged bytes may cause
        raise pickle.UnpicklingError(f"the pickle is broken: {error}") from error


class _Reader(pickle.Unpickler):
    """Resolves only permitted names."""

    def __init__(self, file: Any, known: Mapping[str, Any], hint: str) -> None:
        super().__init__(file, encoding="latin1")
        self._known = known
        self._hint = hint

    def find_class(self, module: str, name: str) -> Any:
        wanted = f"{_NAMES_BEFORE_3.get(module, module)}.{name}"
        if wanted not in self._known:
            raise pickle.UnpicklingError(
                f"the pickle wants {wanted!r}, which is not a sketch, array, string or number"
                + self._hint.format(wanted)
            )
        found = self._known[wanted]
        return found.__call__ if isinstance(found, types.FunctionType) else found

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError(f"the pickle wants a persistent object, {pid!r}")


def unsealed(function: Any) -> Any:
    """The function behind its method __call__, the form in pickles that opcode BUILD cannot change."""
    return function.__self__ if isinstance(function, types.MethodWrapperType) else function


class _Array(np.ndarray[Any, Any]):
    """An array of numbers that checks its pickled state."""

    def __setstate__(self, state: Any) -> None:
        _, shape, kind, is_fortran, data = state
        if not isinstance(data, bytes) or not isinstance(kind, _Number):
            raise pickle.UnpicklingError("an array of something other than numbers")
        super().__setstate__((1, shape, kind.dtype, is_fortran, data))

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()


class _Number:
    """The type of an array's elements."""

    def __init__(self, code: str, *_: object) -> None:
        if code[:1] not in ("u", "i", "f", "b") or not code[1:].isdigit():
            raise pickle.UnpicklingError(f"an array of {code!r}, which is not a numeric type")
        self.dtype = np.dtype(code)

    def __setstate__(self, state: Any) -> None:
        if state[1] in ("<", ">"):
            self.dtype = self.dtype.newbyteorder(state[1])


def _array(*_: object) -> _Array:
    return _Array((0,), dtype=np.uint8)


def _array_of_bytes(data: Any, kind: Any, shape: Any, order: Any) -> Any:
    return np.frombuffer(data, dtype=kind.dtype).reshape(shape, order=order).copy()


def _number(kind: Any, data: bytes) -> Any:
    return np.frombuffer(data, dtype=kind.dtype, count=1)[0]


def _bytes(text: str, encoding: str) -> bytes:
    if encoding != "latin1":
        raise pickle.UnpicklingError(f"bytes by the encoding {encoding!r}")
    return text.encode("latin1")


def _byte_array(data: Any = b"", encoding: str = "latin1") -> bytearray:
    return bytearray(data if isinstance(data, bytes) else _bytes(data, encoding))


def _attribute(owner: Any, name: str) -> None:
    """Reads a bound method of datasketch's index as None, since this index has its own."""
    if name not in ("_byteswap", "_hashed_byteswap") or type(owner).__name__ != "MinHashLSH":
        raise pickle.UnpicklingError(f"the pickle wants the attribute {name!r}")


def _reconstructed(kind: Any, base: Any, state: Any) -> Any:
    """Objects of pickle protocols 0 and 1."""
    if base is not object or state is not None:
        raise pickle.UnpicklingError("the pickle wants an object that is built from another one")
    return kind.__new__(kind)


_NAMES_BEFORE_3 = {"__builtin__": "builtins", "copy_reg": "copyreg"}  # in protocols 0 to 2
_PLAIN: dict[str, Any] = {
    "builtins.list": list,
    "builtins.object": object,
    "builtins.set": set,
    "builtins.frozenset": frozenset,
    "builtins.bytearray": _byte_array,
    "builtins.getattr": _attribute,
    "_codecs.encode": _bytes,
    "_hashlib.openssl_sha1": sha1_hash32,  # MinHash before 1.4 named the hash behind this function
    "collections.defaultdict": collections.defaultdict,
    "collections.OrderedDict": collections.OrderedDict,
    "copyreg._reconstructor": _reconstructed,
}
_ARRAYS: dict[str, Any] = {
    "numpy.ndarray": None,  # the type passed to _array(), which ignores it
    "numpy.dtype": _Number,
    **{f"numpy.{core}.multiarray._reconstruct": _array for core in ("core", "_core")},
    **{f"numpy.{core}.multiarray.scalar": _number for core in ("core", "_core")},
    **{f"numpy.{core}.numeric._frombuffer": _array_of_bytes for core in ("core", "_core")},
}


@functools.lru_cache(maxsize=1)
def _sketches() -> dict[str, Any]:
    """Classes of this package by the names of datasketch in pickles, and by their own."""
    known: dict[str, Any] = {}
    for module, names in (
        ("minhash", ["MinHash"]),
        ("lean_minhash", ["LeanMinHash"]),
        ("lsh", ["MinHashLSH"]),
        ("lshforest", ["MinHashLSHForest"]),
        ("storage", ["DictListStorage", "DictSetStorage", "InMemory"]),
        ("weighted_minhash", ["WeightedMinHash", "WeightedMinHashGenerator"]),
    ):
        ours = importlib.import_module(f"sosie.datasketch.{module}")
        for name in names:
            for package in ("datasketch", "sosie.datasketch"):
                known[f"{package}.{module}.{name}"] = _unmade(getattr(ours, name))
    for function in (sha1_hash32, sha1_hash64):
        for package in ("datasketch", "sosie.datasketch"):
            known[f"{package}.hashfunc.{function.__name__}"] = function
    return known


def _unmade(kind: type[Any]) -> type[Any]:
    """A type that makes objects of `kind` without state or arguments."""

    def new(cls: type[Any]) -> Any:
        return object.__new__(kind)

    return _Sealed(kind.__name__, (), {"__new__": new})


class _Sealed(type):
    """A type whose attributes opcode BUILD cannot set, so that it stays unchanged for later pickles."""

    def __setattr__(cls, name: str, value: object) -> None:
        raise pickle.UnpicklingError(f"the pickle sets {name!r} of a class")
