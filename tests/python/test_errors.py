"""What goes wrong says so: which class, which parameter, what to do."""

from __future__ import annotations

import os
import signal
import threading
import time

import pyarrow
import pytest
from conftest import make_texts

import sosie

TEXTS = ["one two three four five six"] * 3


def test_a_wrong_column_brings_the_nearest_one():
    table = pyarrow.table({"body": ["a"], "n": [1]})
    with pytest.raises(sosie.InputError, match="column 'bodi' is missing\ndid you mean 'body'"):
        sosie.dedup(table, column="bodi")
    with pytest.raises(sosie.InputError, match="the columns there are: body, n"):
        sosie.dedup(table)
    with pytest.raises(sosie.InputError, match="column 'n' holds no text"):
        sosie.dedup(table, column="n")


def test_a_wrong_value_names_the_parameter():
    with pytest.raises(sosie.OptionError, match="threshold: '1.5' is not a number above 0"):
        sosie.dedup(TEXTS, threshold=1.5)
    with pytest.raises(ValueError, match="method"):
        sosie.dedup(TEXTS, method="magic")


def test_names_of_other_tools_are_known():
    with pytest.raises(TypeError, match="takes no 'num_perm': here it is recall R"):
        sosie.dedup(TEXTS, num_perm=128)
    with pytest.raises(TypeError, match="did you mean threshold"):
        sosie.dedup(TEXTS, treshold=0.7)


def test_what_is_no_table_is_refused():
    for thing in (object(), 7, {"text": TEXTS}):
        with pytest.raises(TypeError, match="cannot read rows from"):
            sosie.dedup(thing)
    with pytest.raises(TypeError, match="holds str and None, not int"):
        sosie.dedup(["a", 1])


def test_a_missing_file_is_a_file_error(tmp_path):
    with pytest.raises(sosie.FileError, match="No such file"):
        sosie.dedup(tmp_path / "nowhere.jsonl")
    assert issubclass(sosie.FileError, OSError)


def test_a_stream_that_fails_says_why():
    def batches():
        yield pyarrow.record_batch({"text": TEXTS})
        raise RuntimeError("the network went away")

    schema = pyarrow.schema({"text": pyarrow.string()})
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(sosie.InputError, match="the network went away"):
        sosie.dedup(reader)


def test_an_exception_of_the_progress_callback_ends_the_run():
    def fail(stage, done, total):
        raise ZeroDivisionError(stage)

    with pytest.raises(ZeroDivisionError):
        sosie.dedup(make_texts(3, 20_000), progress=fail)


def test_progress_is_told():
    seen = []
    sosie.dedup(make_texts(3, 20_000), progress=lambda *args: seen.append(args))
    assert seen
    assert all(done <= total for _, done, total in seen)


def test_ctrl_c_ends_a_long_call():
    texts = make_texts(4, 60_000)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sosie.dedup(texts, method="brute")
    assert time.monotonic() - began < 5


def test_other_threads_run_meanwhile():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    sosie.dedup(make_texts(5, 30_000), threads=1)
    stop.set()
    thread.join()
    assert len(ticks) > 3
