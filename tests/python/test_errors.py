"""Errors give the class, the parameter and a way out."""

from __future__ import annotations

import io
import os
import pickle
import signal
import threading
import time

import pyarrow
import pytest
from conftest import make_texts

import sosie

TEXTS = ["one two three four five six"] * 3


def test_a_wrong_column_brings_the_nearest_one():
    table = pyarrow.table({"body": ["a"], "n": [[1.5]]})
    with pytest.raises(sosie.InputError, match="column 'bodi' is missing\ndid you mean 'body'"):
        sosie.dedup(table, column="bodi")
    with pytest.raises(sosie.InputError, match="available columns: body, n"):
        sosie.dedup(table)
    with pytest.raises(sosie.InputError, match="'n'"):
        sosie.dedup(table, column="n")


def test_a_wrong_value_names_the_parameter():
    with pytest.raises(sosie.OptionError, match="threshold: '1.5' is not a number above 0"):
        sosie.dedup(TEXTS, threshold=1.5)
    with pytest.raises(ValueError, match="method"):
        sosie.dedup(TEXTS, method="magic")


def test_names_of_other_tools_are_known():
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'num_perm': use recall R"):
        sosie.dedup(TEXTS, num_perm=128)
    with pytest.raises(TypeError, match="did you mean threshold"):
        sosie.dedup(TEXTS, treshold=0.7)


def test_what_is_no_table_is_refused():
    for thing in (object(), 7, {"text": TEXTS}):
        with pytest.raises(TypeError, match="cannot read rows from"):
            sosie.dedup(thing)
    with pytest.raises(TypeError, match="may contain str and None, not int"):
        sosie.dedup(["a", 1])


def test_an_open_file_is_refused_with_what_to_give(tmp_path):
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text": "a b"}\n')
    with open(path) as text, open(path, "rb") as binary:
        for name, file in {"BytesIO": io.BytesIO(b""), "StringIO": io.StringIO("a"),
                           "TextIOWrapper": text, "BufferedReader": binary}.items():
            for ask in (sosie.dedup, sosie.pairs, sosie.link, sosie.plan,
                        lambda rows: sosie.query(TEXTS, rows),
                        lambda rows: sosie.similarity(TEXTS, rows),
                        lambda rows: sosie.dedup(TEXTS, against=rows)):
                with pytest.raises(TypeError, match=f"{name} is an open file: pass its path"):
                    ask(file)


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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in the background
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


def test_errors_tell_what_they_are_about(tmp_path):
    with pytest.raises(sosie.OptionError) as raised:
        sosie.dedup(TEXTS, recall=1, method="lsh")
    assert (raised.value.option, raised.value.place) == ("recall", None)
    assert raised.value.hint == "use method exact, or a recall below 1"
    assert str(raised.value) == f"recall=1: method lsh cannot guarantee every pair\n{raised.value.hint}"
    with pytest.raises(sosie.OptionError) as raised:
        sosie.dedup(TEXTS, stopwords="english")
    assert raised.value.option == "stopwords" and "shingle stopwords:2" in raised.value.hint
    (tmp_path / "in.jsonl").write_text('{"text": "a"}\n{"txt": "b"}\n')
    with pytest.raises(sosie.InputError) as raised:
        sosie.dedup(tmp_path / "in.jsonl")
    assert (raised.value.option, raised.value.place) == (None, f"{tmp_path}/in.jsonl:2")
    assert raised.value.hint.startswith("did you mean 'txt'?")
    with pytest.raises(sosie.FileError) as raised:
        sosie.dedup(tmp_path / "none.jsonl")
    assert raised.value.place == f"{tmp_path}/none.jsonl" and raised.value.hint is None
    with pytest.raises(sosie.OptionError) as raised:
        sosie.pairs(TEXTS, show="text")
    assert raised.value.option == "show" and raised.value.hint == "set output=, too"


def test_names_that_look_like_options_stay_as_they_are(tmp_path):
    folder = tmp_path / "--threshold"
    folder.mkdir()
    (folder / "in.jsonl").write_text("broken\n")
    with pytest.raises(sosie.InputError, match="/--threshold/in.jsonl: appears to contain other text") as raised:
        sosie.dedup(folder / "in.jsonl")
    assert "--" not in raised.value.hint and "format txt" in raised.value.hint


def test_errors_can_be_pickled():
    with pytest.raises(sosie.OptionError) as raised:
        sosie.dedup(TEXTS, recall=1, method="lsh")
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value)
    assert (again.option, again.hint) == (raised.value.option, raised.value.hint)
    failed = pickle.loads(pickle.dumps(sosie.FileError("gone", place="x", hint="look")))
    assert (str(failed), failed.place, failed.hint) == ("gone\nlook", "x", "look")
