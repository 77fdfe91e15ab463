"""Runs one command and writes its times and peak memory: `launch.py RESULT LIMIT CORES COMMAND...`.

This is a separate process because Linux counts the memory of the process that starts another one
towards the other's peak: the runner is large, whereas this process is small (peaks below 12 MB
cannot be distinguished). It also adopts processes that the command leaves behind, such as pools of
workers, so that their CPU seconds are counted.
"""

import contextlib
import ctypes
import json
import os
import resource
import signal
import sys
import time

MEMORY_LIMIT = 16 << 30  # bytes of address space, so that no tool can bring the machine down
PR_SET_CHILD_SUBREAPER = 36


def main():
    result, limit, cores, *command = sys.argv[1:]
    os.sched_setaffinity(0, map(int, cores.split(",")))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ, setpgroup=0)
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.alarm(int(limit))
    _, status = os.waitpid(child, 0)
    seconds = time.monotonic() - began
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(result, "w") as out:
        json.dump({"exit_code": os.waitstatus_to_exitcode(status), "seconds": seconds,
                   "cpu_seconds": usage.ru_utime + usage.ru_stime,
                   "peak_mb": usage.ru_maxrss / 1024}, out)


main()
