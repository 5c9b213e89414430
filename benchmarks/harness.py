"""What every benchmark needs: contenders that take turns, the machine, its peak, and one kind of table.

A contender is a function `(turn, options)` that runs in a process of its own, so that no library's threads or memory
disturb another's. It prepares its work, calls `turn.ready`, and then `turn.step` after each step. After a block of
steps the turn passes on, so all contenders meet the same state of the machine.
"""

import argparse
import dataclasses
import importlib.metadata
import json
import multiprocessing
import os
import platform
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import bert_keras

CACHE = Path(".cache/bench")
REAL = Path(".cache/real")
_SPAWN = multiprocessing.get_context("spawn")
_GO, _STOP = "go", "stop"
# The processor's time, summed over threads, is of use where other work runs beside.
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}


class Done(BaseException):
    """Ends a contender when its last block is over; no library that it is raised through may take it for an error."""


class Turn:
    """A contender's side of the alternation."""

    def __init__(self, connection: Connection, block: int, clock: str):
        self._connection = connection
        self._block = block
        self._clock = CLOCKS[clock]
        self._steps: list[tuple[float, float]] = []
        self._last = 0.0

    def ready(self, **facts: Any) -> None:
        """Tell that the preparation is over, with facts about it, and wait for the first turn."""
        self._connection.send(facts)
        self._wait()

    def step(self, flops: float = 0) -> None:
        """Note the time since the step before; at the end of a block report it and wait for the next turn.

        Args:
            flops: additions and multiplications that the step did.
        """
        now = self._clock()
        self._steps.append((now - self._last, flops))
        self._last = now
        if len(self._steps) == self._block:
            self._connection.send(self._steps)
            self._steps = []
            self._wait()

    def _wait(self) -> None:
        if self._connection.recv() == _STOP:
            raise Done
        self._last = self._clock()


Contender = Callable[[Turn, Any], None]


@dataclasses.dataclass(frozen=True)
class Result:
    """What a contender did.

    Args:
        name: its name in the table.
        facts: what it told when it was ready.
        seconds: the time of each measured step, in order.
        flops: what each of them computed.
        peak_bytes: the most memory that its process held.
    """

    name: str
    facts: dict[str, Any]
    seconds: list[float]
    flops: list[float]
    peak_bytes: int

    @property
    def flops_per_second(self) -> float:
        return sum(self.flops) / sum(self.seconds)


def alternate(contenders: Mapping[str, Contender], options: Any, block: int, rounds: int, clock: str) -> list[Result]:
    """Let contenders take turns, a block of steps each, one running at a time.

    Args:
        contenders: name -> function of a module's top level.
        options: what the functions get beside their turn; picklable.
        block: steps a turn.
        rounds: turns that count; one before them does not.
        clock: a key of `CLOCKS`.
    """
    workers = {name: _Worker(name, run, options, block, clock) for name, run in contenders.items()}
    try:
        for turn in range(-1, rounds):
            for name, worker in workers.items():
                seconds = worker.turn(counts=turn >= 0)
                say(f"{name}: turn {turn + 1} of {rounds}, {1000 * seconds / block:.3g} ms a step")
        return [worker.result() for worker in workers.values()]
    finally:
        for worker in workers.values():
            worker.end()


class _Worker:
    """A contender's process, seen from outside."""

    def __init__(self, name: str, run: Contender, options: Any, block: int, clock: str):
        say(f"{name}: getting ready")
        self._name = name
        self._connection, other = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_work, args=(other, run, options, block, clock), daemon=True)
        self._process.start()
        other.close()
        self._facts: dict[str, Any] = self._receive()
        self._steps: list[tuple[float, float]] = []

    def turn(self, counts: bool) -> float:
        """Let the contender do a block of steps; return the seconds that it took."""
        self._connection.send(_GO)
        steps = self._receive()
        self._steps += steps if counts else []
        return sum(seconds for seconds, _ in steps)

    def result(self) -> Result:
        self._connection.send(_STOP)
        peak_bytes = self._receive()
        self._process.join(timeout=30)
        seconds, flops = map(list, zip(*self._steps, strict=True))
        return Result(self._name, self._facts, seconds, flops, peak_bytes)

    def end(self) -> None:
        self._process.kill()
        self._process.join()

    def _receive(self) -> Any:
        try:
            return self._connection.recv()
        except EOFError:
            raise SystemExit(f"{self._name} failed, as told above") from None


def _work(connection: Connection, run: Contender, options: Any, block: int, clock: str) -> None:
    try:
        run(Turn(connection, block, clock), options)
    except Done:
        connection.send(peak_memory())


def in_process(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a fresh process and return its (picklable) result: its memory and threads are gone then."""
    with _SPAWN.Pool(1) as pool:
        result = pool.apply(function, arguments)
        pool.close()
        pool.join()
    return result


def peak_memory() -> int:
    """The most memory, in bytes, that this process has held so far."""
    # Linux's getrusage keeps the figure of the process that this one was started from.
    return _status("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def held_memory() -> int:
    """The memory, in bytes, that this process holds now; where the system does not tell, the most so far."""
    return _status("VmRSS") or peak_memory()


def _status(key: str) -> int:
    """A figure of Linux's about this process, in bytes; 0 elsewhere."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    line = next(line for line in status.read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) * 1024


def use_threads(count: int) -> None:
    """Give every process that is started from now on `count` threads, in whichever library it computes."""
    for name in ("OMP", "MKL", "OPENBLAS"):
        os.environ[f"{name}_NUM_THREADS"] = str(count)
    os.environ["TF_NUM_INTRAOP_THREADS"] = str(count)
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def sgemm_peak(clock: str) -> float:
    """FLOP a second of a large float32 matrix product, with the threads of `use_threads`."""
    return in_process(_sgemm, clock)


def _sgemm(clock: str) -> float:
    import numpy as np

    size, now = 2048, CLOCKS[clock]
    left, right = (np.random.default_rng(seed).random((size, size), np.float32) for seed in (0, 1))
    times = []
    for _ in range(8):
        start = now()
        left @ right
        times.append(now() - start)
    return 2 * size**3 / min(times)


def encoder_flops(sizes: Mapping[str, Any], batch: int, length: int, last_rows: int | None = None) -> float:
    """Additions and multiplications in the matrix products of a BERT encoder's forward pass.

    Args:
        sizes: hidden_size, intermediate_size and num_hidden_layers, as in config.json.
        batch: texts.
        length: tokens of each, padding included.
        last_rows: rows that the last block computes of each text; None for all.
    """
    hidden, inner, blocks = (sizes[key] for key in ("hidden_size", "intermediate_size", "num_hidden_layers"))

    def block(rows: int) -> float:
        projections = 4 * hidden * hidden * (length + rows)  # keys and values; queries and output
        return projections + 4 * rows * length * hidden + 4 * rows * hidden * inner

    return batch * ((blocks - 1) * block(length) + block(last_rows or length))


def machine() -> str:
    """The processor, its cores and memory, the system and Python in one line."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        name = lines[0].split(":")[1].strip() if lines else name
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{name}, {cores()} cores, {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}"


def versions(packages: Sequence[str]) -> dict[str, str]:
    """The versions of bert_keras and of those packages that are installed."""
    found = {"bert_keras": bert_keras.__version__}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def arguments(description: str) -> argparse.ArgumentParser:
    """A parser with the options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    return parser


def show(
    title: str, tables: Mapping[str, Sequence[Mapping[str, str | float]]], details: Mapping[str, Any], as_json: bool
) -> None:
    """Print a benchmark's result.

    Args:
        title: what was measured.
        tables: name -> rows, one a contender, of column -> value.
        details: the settings and what the columns mean; `machine` is added.
        as_json: print one JSON object instead of tables.
    """
    details = {"machine": machine(), **details}
    if as_json:
        print(json.dumps({"benchmark": title, **tables, **details}, ensure_ascii=False))
        return
    print(title)
    for name, rows in tables.items():
        print(f"\n{name}:\n{_table(rows)}")
    print()
    for name, value in details.items():
        print(f"{name}: {', '.join(f'{k} {v}' for k, v in value.items()) if isinstance(value, dict) else value}")


def _table(rows: Sequence[Mapping[str, str | float]]) -> str:
    columns = list(rows[0])
    cells = [columns, *([str(row[column]) for column in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [cells[0], ["-" * width for width in widths], *cells[1:]]
    return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)


def say(text: str) -> None:
    """Show progress, apart from the result."""
    print(text, file=sys.stderr, flush=True)
