"""Runs command lines that contain addresses of objects."""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import sys
from collections.abc import Callable

from . import _sosie
from ._addresses import address_of, shown
from ._objects import ON_DISK, READ, WRITTEN, Stage, is_read
from .errors import OptionError, SosieError


def command(arguments: list[str], run: Callable[[list[str]], int]) -> int:
    """Runs a command line that contains addresses, in the folder that holds the objects, so that
    messages and files use the names given by the user."""
    folder = os.getcwd()
    stage = None
    try:
        end_on_signals()
        stage = Stage(value_of("scratch", arguments))
        line = CommandLine(stage, folder, arguments[0])
        given = line.read(arguments[1:])
        os.chdir(stage.path)
        try:
            code = run([arguments[0], *given])
            end_on_signals()  # the run installed its own handlers
            if code in (0, 1):
                stage.publish()
            return code
        finally:
            os.chdir(folder)
    except SosieError as error:
        lines = str(error).splitlines()
        print("\n  ".join([f"sosie: {lines[0]}", *lines[1:]]), file=sys.stderr)
        return 2 if isinstance(error, OptionError) else 4
    except (KeyboardInterrupt, Terminated) as signaled:
        if stage is not None:
            stage.remove()
        os._exit(143 if isinstance(signaled, Terminated) else 130)  # without waiting for the store


class Terminated(BaseException):
    """SIGTERM came."""


def end_on_signals() -> None:
    def terminate(*_: object) -> None:
        raise Terminated

    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, terminate)


def refuse_relative(path: str) -> None:
    """Refuses relative paths in a list of files, which is read from the objects' folder."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        for line in file:
            name = os.fsdecode(line.rstrip(b"\r\n"))
            if name and not os.path.isabs(name):
                raise OptionError(f"--files-from: '{name}' in {path} is not an absolute path",
                                  option="files-from",
                                  hint="when inputs include objects, it must list absolute paths; name objects on the command line")


def value_of(option: str, arguments: list[str]) -> str | None:
    """The value of an option on a command line; None if it is absent."""
    for argument, behind in zip(arguments, [*arguments[1:], ""], strict=True):
        if argument == f"--{option}":
            return behind
        if argument.startswith(f"--{option}="):
            return argument.partition("=")[2]
    return None


class CommandLine:
    """A command line with local copies in place of objects, and with absolute paths."""

    def __init__(self, stage: Stage, folder: str, verb: str):
        self.stage, self.folder, self.verb = stage, folder, verb
        self._positions = 0
        self._overwrite = False
        self._assign: str | None = None

    def read(self, arguments: list[str]) -> list[str]:
        self._overwrite = any(word.partition("=")[0] == "--overwrite" for word in arguments)
        self._assign = value_of("assign", arguments)
        words: list[str] = []
        name = ""  # of the option whose value comes next
        only_inputs = False
        for word in arguments:
            if name:
                words.append(self._value(name, word))
                name = ""
            elif only_inputs or word == "-" or not word.startswith("-"):
                words += self._input(word)
            elif word == "--":
                only_inputs = True
                words.append(word)
            elif word.startswith("--"):
                option, mark, value = word[2:].partition("=")
                words.append(f"--{option}={self._value(option, value)}" if mark else word)
                name = "" if mark or not _sosie.takes_value(option) else option
            else:
                taking = next((i for i, letter in enumerate(word) if _sosie.takes_value(letter)), 0)
                option = "output" if taking and word[taking] == "o" else word[taking]
                value = word[taking + 1:]
                words.append(word[:taking + 1] + self._value(option, value) if taking and value
                             else word)
                name = option if taking and not value else ""
        return words

    def _value(self, option: str, value: str) -> str:
        option = option.replace("-", "_")
        address = address_of(value)
        if address is None:
            if option == "files_from" and value != "-":
                refuse_relative(value)
            is_path = option in (*WRITTEN, *ON_DISK, "files_from") or (
                option in READ and os.path.exists(value))
            return os.path.join(self.folder, value) if is_path and value != "-" else value
        if option in ON_DISK:
            raise OptionError(f"--{option}: must be on a local disk, not in a store", option=option)
        if option in WRITTEN and not is_read(option, self._assign):
            local = self.stage.output(address, self._overwrite)
            if option == "output":
                self.stage.main = local
            return self._inside(local)
        if not is_read(option, self._assign):
            return value
        found = self.stage.fetch(address)
        if len(found) > 1:
            raise OptionError(f"--{option}: {shown(address)} matches several objects", option=option)
        return self._inside(found[0])

    def _input(self, word: str) -> list[str]:
        self._positions += 1
        is_word = (self.verb == "index" and self._positions == 1) or (
            self.verb == "explain" and self._positions <= 2) or word == "-"
        if is_word:
            return [word]
        address = address_of(word)
        if address is not None:
            return list(map(self._inside, self.stage.fetch(address)))
        path = word.partition("::")[0]
        is_path = self.verb == "index" or os.path.exists(path) or glob.has_magic(path)
        return [os.path.join(self.folder, word) if is_path else word]

    def _inside(self, path: str) -> str:
        return path[len(self.stage.path) + 1:]
