"""Training runs that can be interrupted: their state lies in OUT.partial until the result is written to OUT."""

import contextlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bert_keras import files
from bert_keras.cli.session import Session
from bert_keras.errors import InputError

if sys.platform != "win32":
    import fcntl

_SETTINGS, _LOCK = "settings.json", "lock"


def partial_folder(out: Path) -> Path:
    """Where the state of the run that will write `out` is kept."""
    return out.with_name(out.name + ".partial")


@contextlib.contextmanager
def claimed(out: Path, settings: dict[str, Any], resume: bool, force: bool) -> Iterator[None]:
    """Keep `out` for this process, after refusing to replace a result, to forget a run, or to resume another one.

    Meant to be entered before any long work. Nothing stays of a claim under which no run began.

    Args:
        out: the folder of the result.
        settings: what the run depends on.
        resume: go on with an interrupted run if there is one.
        force: replace `out`, and begin anew where a run was interrupted.

    Raises:
        InputError: `out` exists, another process is writing it, an interrupted run is in the way, or it was begun
            with other settings.
    """
    files.refuse_existing(out, force)
    partial = partial_folder(out)
    partial.mkdir(parents=True, exist_ok=True)
    with _locked(partial, out):
        try:
            if _holds_run(partial):
                _check_run(partial, settings, resume, force)
            yield
        finally:
            if not _holds_run(partial):
                shutil.rmtree(partial)


def check_logs(out: Path, csv_log: Path | None, tensorboard: Path | None, replace: bool) -> None:
    """Refuse logs that could not be written, or that would be in the way of the result or go with the run's state.

    Args:
        out: the folder of the result.
        csv_log: the file of --csv-log.
        tensorboard: the folder of --tensorboard.
        replace: an existing csv_log is an earlier start's of this run (--resume), or may go (--force).

    Raises:
        InputError: a log is in such a place, or exists.
    """
    from bert_keras.training.logs import refuse_bad_paths

    refuse_bad_paths(csv_log, tensorboard)
    if csv_log is not None:
        files.refuse_existing(csv_log, replace)
    for log in (csv_log, tensorboard):
        for folder in (out, partial_folder(out)):
            if log is not None and Path(os.path.abspath(log)).is_relative_to(os.path.abspath(folder)):
                raise InputError(f"{log} is in {folder}, which is written anew when training ends: name another place")


@contextlib.contextmanager
def run_folder(out: Path, settings: dict[str, Any], resume: bool) -> Iterator[Path]:
    """Yield the folder of a run's state, under a claim; it is emptied at success, or at a stop before any state."""
    partial = partial_folder(out)
    if not resume:
        _empty(partial)
    (partial / _SETTINGS).write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    try:
        yield partial
    except BaseException:
        if not _has_state(out):
            _empty(partial)
        raise
    _empty(partial)


def _has_state(out: Path) -> bool:
    """Whether there is something to resume."""
    return (partial_folder(out) / "state.npz").is_file()


def say_how_to_resume(current: Session, out: Path, resume: bool) -> None:
    """Name, after Ctrl-C, the command that goes on; say now if there is nothing to go on with."""
    current.when_interrupted = _resume_hint(out)
    if resume and not _has_state(out):
        current.say("nothing to resume: beginning")


def _resume_hint(out: Path) -> str:
    arguments = [argument for argument in sys.argv[1:] if argument != "--resume"]
    command = shlex.join(["bert-keras", *arguments, "--resume"])
    return f"stopped; what was learned is kept in {partial_folder(out)}. To go on:\n  {command}"


@contextlib.contextmanager
def _locked(partial: Path, out: Path) -> Iterator[None]:
    """Hold the lock of a run's folder; the system lets go of it when the process ends, however it ends."""
    if sys.platform == "win32":
        # An open file could not be removed there: two runs into one folder go unnoticed.
        yield
        return
    with (partial / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # Any other error is that of a file system without locks, as clusters have some: the run goes on.
            if isinstance(error, BlockingIOError):
                raise InputError(
                    f"another run is writing {out} at this moment: wait until it has ended, or choose another --out"
                ) from None
        yield


def _holds_run(partial: Path) -> bool:
    """Whether there is more than a lock, which a run that was killed before it began leaves."""
    return any(path.name != _LOCK for path in partial.iterdir())


def _empty(partial: Path) -> None:
    """Remove everything but the lock."""
    for path in partial.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != _LOCK:
            path.unlink()


def _check_run(partial: Path, settings: dict[str, Any], resume: bool, force: bool) -> None:
    if resume:
        _refuse_other_settings(partial, settings)
    elif not force:
        raise InputError(f"{partial} holds an interrupted run: add --resume to go on, or --force to begin anew")


def _refuse_other_settings(partial: Path, settings: dict[str, Any]) -> None:
    try:
        begun = json.loads((partial / _SETTINGS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise InputError(f"{partial} is not the state of a run: remove it, or choose another --out") from None
    for name, value in settings.items():
        if begun.get(name) != value:
            raise InputError(
                f"the run in {partial} was begun with {name} {begun.get(name)!r}, not {value!r}: "
                f"resume it with the same settings, or begin anew with --force"
            )
