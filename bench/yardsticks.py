#!/usr/bin/env python3
"""Programs that every machine has, used as yardsticks: `yardsticks.py md5|memcpy INPUT OUTPUT`.

  md5     OpenSSL's md5, in this process, of bytes that are already in memory
  memcpy  one copy of the same bytes into memory that was written to before

OUTPUT gets the seconds as JSON. (`wc -l` is a separate process and needs no help.)
"""

import hashlib
import json
import sys
import time
from pathlib import Path


def main():
    what, source, output = sys.argv[1:]
    data = Path(source).read_bytes()
    target = bytearray(data)  # touches every page
    began, cpu_began = time.perf_counter(), time.process_time()
    if what == "md5":
        hashlib.md5(data, usedforsecurity=False).digest()
    else:
        memoryview(target)[:] = data
    Path(output).write_text(json.dumps({"seconds": time.perf_counter() - began,
                                        "cpu_seconds": time.process_time() - cpu_began}))


if __name__ == "__main__":
    main()
