from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__version__: str
recipe_version: int

class Table:
    column_names: list[str]
    def __len__(self) -> int: ...
    def values(self, column: int, rows: Sequence[int]) -> list[object]: ...

def table(data: object) -> Table: ...
def dedup(
    data: object,
    against: object,
    options: Mapping[str, object],
    progress: Callable[[str, int, int], object] | None,
) -> dict[str, Any]: ...
def pairs(
    data: object,
    against: object,
    options: Mapping[str, object],
    progress: Callable[[str, int, int], object] | None,
) -> dict[str, Any]: ...
def query(
    data: object,
    items: object,
    options: Mapping[str, object],
    progress: Callable[[str, int, int], object] | None,
) -> dict[str, Any]: ...
def minhash(
    data: object, components: int, options: Mapping[str, object]
) -> npt.NDArray[np.uint32]: ...
def plan(data: object, options: Mapping[str, object]) -> str: ...
def explain(data: object, left: str, right: str, options: Mapping[str, object]) -> str: ...
def keywords(verb: str) -> list[str]: ...
def option_hint(keyword: str, verb: str) -> str: ...
def arrow_stream(columns: Mapping[str, object]) -> object: ...
