"""text-dedup: its own program with a configuration file, as documented: words split at \\W,
5-grams, 240 permutations, its own bands for the threshold, and pairs checked by exact Jaccard
similarity. Each thread beyond the first adds a process. Its caches are stored next to the output
and removed with it."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import common


def configuration(options, folder: Path) -> dict:
    read = {"path": "json", "data_files": str(options.input.resolve()), "split": "train",
            "cache_dir": str(folder / "cache")}
    bands = {"bands": 40, "rows": 6} if options.recall_bands else {}
    return {"input": {"input_type": "local_files", "file_type": "json", "read_arguments": read},
            "algorithm": {"algorithm_name": "minhash", "text_column": "text", "seed": 42,
                          "batch_size": 10000, "num_perm": 240, "threshold": common.THRESHOLD,
                          "hash_bits": 64, "ngram_size": common.SHINGLE_WORDS,
                          "check_false_positive": True,
                          "num_proc": options.threads, **bands},
            "output": {"output_dir": str(folder / "out"), "clean_cache": False},
            "debug": {"enable_profiling": False}}


def toml(tables: dict, prefix: str = "") -> str:
    """Tables of plain values only."""
    out = ""
    for name, table in tables.items():
        plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
        nested = {key: value for key, value in table.items() if isinstance(value, dict)}
        out += f"[{prefix}{name}]\n" + "".join(
            f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}\n"
            for key, value in plain.items()) + toml(nested, f"{prefix}{name}.")
    return out


def dedup(options):
    with tempfile.TemporaryDirectory(dir=options.output.parent) as name:
        folder = Path(name)
        os.environ["HF_HOME"] = str(folder)
        from text_dedup.config.base import load_config_from_toml
        from text_dedup.minhash import main
        (folder / "config.toml").write_text(toml(configuration(options, folder)))
        main(load_config_from_toml(folder / "config.toml"))
        from datasets import load_from_disk
        return list(load_from_disk(str(folder / "out"))["id"])


if __name__ == "__main__":  # its worker processes import this file
    common.main(dedup)
