"""Stages of a job: held by executors, or stored as Parquet in a folder from which a later job can
resume."""

from __future__ import annotations

import atexit
import json
import os
import re
import uuid
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from .. import errors
from ..errors import FileError, InputError, OptionError, UnsupportedError

NEEDS_PACKAGE = (
    "executors: cannot import sosie.spark",
    "install the package on every worker (an image, or --archives with a packed environment), "
    "and let PYSPARK_PYTHON name the interpreter that has it",
)


@contextmanager
def plain_errors(work: str | None = None) -> Iterator[None]:
    """Turns failures on executors into one-line errors."""
    try:
        yield
    except errors.SosieError:
        raise
    except Exception as error:
        told = str(error)
        if re.search(r"No module named '(sosie|pyarrow)", told):
            raise UnsupportedError(NEEDS_PACKAGE[0], hint=NEEDS_PACKAGE[1]) from error
        if "No space left on device" in told:
            place = work or "spark.local.dir"
            raise FileError(f"{place}: no space left on device", place=place,
                            hint="free some, or name another folder; finished stages are kept"
                            ) from error
        raised = re.findall(r"^sosie\.errors\.(\w+): (.*)$", told, re.MULTILINE)
        if raised:
            kind, line = raised[-1]
            raise getattr(errors, kind, InputError)(line) from error
        if "2GB" in told or "OversizedAllocationException" in told:
            raise InputError(
                "a batch holds 2 GiB of text or more",
                hint="set spark.sql.execution.arrow.maxRecordsPerBatch to a smaller number") from error
        raise


_leaves: weakref.WeakSet[Any] = weakref.WeakSet()


def left_at_exit(frame: DataFrame) -> DataFrame:
    """For Spark Connect: a frame that the server forgets at the end of the session. Otherwise, the
    client would request this at interpreter exit, in a thread that can no longer start, and wait
    forever."""
    leaf = getattr(frame, "_plan", None)
    if hasattr(leaf, "_relation_id"):
        _leaves.add(leaf)
    return frame


@atexit.register
def _leave() -> None:
    for leaf in _leaves:
        leaf._relation_id = None


class Work:
    """Stores the stages of a job. `identity`: everything on which their contents depend."""

    def __init__(self, spark: SparkSession, folder: str | os.PathLike[str] | None, identity: dict[str, Any]):
        self.spark = spark
        self.folder = os.fspath(folder).rstrip("/") if folder else None
        self.token = uuid.uuid4().hex
        if self.folder:
            self._take(json.dumps(identity, sort_keys=True))

    def _read(self, name: str) -> DataFrame | None:
        """A finished data set, or None."""
        try:
            found = self.spark.read.parquet(f"{self.folder}/{name}")
            found.schema  # noqa: B018: looks for the files
            return found
        except AnalysisException as error:
            missing = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA")
            if any(word in str(error) for word in missing):
                return None
            raise

    def _note(self, name: str, text: str) -> None:
        note = self.spark.createDataFrame([(text,)], "note string").coalesce(1)
        note.write.mode("overwrite").parquet(f"{self.folder}/{name}")

    def _noted(self, name: str) -> str | None:
        found = self._read(name)
        row = None if found is None else found.first()
        return None if row is None else row["note"]

    def _take(self, identity: str) -> None:
        with plain_errors(self.folder):
            made_for = self._noted("job")
            if made_for is None:
                self._note("job", identity)
            elif made_for != identity:
                before, now = json.loads(made_for), json.loads(identity)
                name = next(name for name in sorted({*before, *now})
                            if before.get(name) != now.get(name))
                raise OptionError(
                    f"work={self.folder}: holds stages of another job ({name}: "
                    f"{short(before.get(name))}, now {short(now.get(name))})",
                    option="work", hint="name another folder, or remove it")
            self._note("owner", self.token)

    def _check_owner(self) -> None:
        if self._noted("owner") != self.token:
            raise OptionError(f"work={self.folder}: another job has taken over this folder",
                              option="work", hint="let one job at a time use it")

    def stage(self, name: str, make: Callable[[], DataFrame]) -> DataFrame:
        """The result of make(), computed once."""
        if not self.folder:
            with plain_errors():
                # The plan has a single leaf, because plans built on plans grow fast.
                return left_at_exit(make().localCheckpoint())
        with plain_errors(self.folder):
            done = self._noted(f"{name}.done")
            if done is None:
                done = f"{name}-{self.token}"
                make().write.mode("overwrite").parquet(f"{self.folder}/{done}")
                self._check_owner()
                self._note(f"{name}.done", done)
            found = self._read(done)
        if found is None:
            raise FileError(f"{self.folder}/{done}: is gone", place=f"{self.folder}/{done}",
                            hint=f"remove {self.folder}, and run the job again")
        return found


def short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
