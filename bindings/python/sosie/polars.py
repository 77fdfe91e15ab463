"""``frame.sosie`` for polars: importing this module registers it.

>>> import polars
>>> import sosie.polars
>>> frame = polars.DataFrame({"text": ["one two three four", "One two three four!", "something else"]})
>>> frame.sosie.dedup(threshold=0.8)["text"].to_list()
['one two three four', 'something else']
"""

from __future__ import annotations

try:
    import polars
except ImportError as missing:
    raise ImportError(f"sosie.polars needs {missing.name}: pip install 'sosie[polars]'") from missing

from ._frames import FrameVerbs
from ._results import ResultTable


@polars.api.register_dataframe_namespace("sosie")
class DataFrameVerbs(FrameVerbs[polars.DataFrame]):
    """``frame.sosie`` for a DataFrame."""

    def _table(self, result: ResultTable) -> polars.DataFrame:
        return result.to_polars()


@polars.api.register_lazyframe_namespace("sosie")
class LazyFrameVerbs(FrameVerbs[polars.LazyFrame]):
    """``frame.sosie`` for a LazyFrame, which it collects."""

    def _table(self, result: ResultTable) -> polars.LazyFrame:
        return result.to_polars().lazy()
