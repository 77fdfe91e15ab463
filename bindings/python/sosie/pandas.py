"""``frame.sosie`` for pandas: importing this module registers it.

>>> import pandas
>>> import sosie.pandas
>>> frame = pandas.DataFrame({"text": ["one two three four", "One two three four!", "something else"]})
>>> frame.sosie.dedup(threshold=0.8)["text"].to_list()
['one two three four', 'something else']
"""

from __future__ import annotations

try:
    import pandas
except ImportError as missing:
    raise ImportError(f"sosie.pandas needs {missing.name}: pip install 'sosie[pandas]'") from missing

from ._frames import FrameVerbs
from ._results import ResultTable


@pandas.api.extensions.register_dataframe_accessor("sosie")
class DataFrameVerbs(FrameVerbs["pandas.DataFrame"]):
    """``frame.sosie`` for a DataFrame."""

    def _table(self, result: ResultTable) -> pandas.DataFrame:
        return result.to_pandas()
