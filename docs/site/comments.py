"""Prints a header with its comments as Doxygen knows them: // becomes ///, behind code ///<."""
import pathlib
import re
import sys

ALONE = re.compile(r"^(\s*)// ?(.*)$")
FORWARD = re.compile(r"^(class|struct) \w+;")
BEHIND = re.compile(r"^(.*[;,{}])(\s+)// (.*)$")


def escaped(text):
    """A comment's words, none of which is a command or markup; `code` stays code."""
    plain = re.sub(r"([\\@<>&#%])", r"\\\1", text)
    return re.sub(r"`([^`]+)`", r"<tt>\1</tt>", plain)


def line_of(line):
    if FORWARD.match(line):
        return line  # of another file: it has no entry
    if alone := ALONE.match(line):
        return f"{alone[1]}/// {escaped(alone[2])}"
    if behind := BEHIND.match(line):
        return f"{behind[1]}{behind[2]}///< {escaped(behind[3])}"
    return line


if __name__ == "__main__":
    for each in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        print(line_of(each))
