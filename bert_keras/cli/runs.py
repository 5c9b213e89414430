"""Training runs that can be interrupted: their state lies in OUT.partial until the result is written to OUT."""

import contextlib
import json
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bert_keras import files
from bert_keras.errors import InputError

_SETTINGS = "settings.json"


def partial_folder(out: Path) -> Path:
    """Where the state of the run that will write `out` is kept."""
    return out.with_name(out.name + ".partial")


def check_outputs(out: Path, settings: dict[str, Any], resume: bool, force: bool) -> None:
    """Refuse, before any long work, to replace a result, to forget a run, or to resume another one.

    Args:
        out: the folder of the result.
        settings: what the run depends on.
        resume: go on with an interrupted run if there is one.
        force: replace `out`, and begin anew where a run was interrupted.

    Raises:
        InputError: `out` exists, an interrupted run is in the way, or it was begun with other settings.
    """
    files.refuse_existing(out, force)
    partial = partial_folder(out)
    if not partial.exists():
        return
    if resume:
        _refuse_other_settings(partial, settings)
    elif not force:
        raise InputError(f"{partial} holds an interrupted run: add --resume to go on, or --force to begin anew")


@contextlib.contextmanager
def run_folder(out: Path, settings: dict[str, Any], resume: bool) -> Iterator[Path]:
    """Yield the folder of a run's state; it is removed at success, and kept after a stop if it holds any state."""
    partial = partial_folder(out)
    if partial.exists() and not resume:
        shutil.rmtree(partial)
    partial.mkdir(parents=True, exist_ok=True)
    (partial / _SETTINGS).write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    try:
        yield partial
    except BaseException:
        if not has_state(out):
            shutil.rmtree(partial, ignore_errors=True)
        raise
    shutil.rmtree(partial)


def has_state(out: Path) -> bool:
    """Whether there is something to resume."""
    return (partial_folder(out) / "state.npz").is_file()


def resume_hint(out: Path) -> str:
    """What to tell after Ctrl-C: the command that goes on."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--resume"]
    command = shlex.join(["bert-keras", *arguments, "--resume"])
    return f"stopped; what was learned is kept in {partial_folder(out)}. To go on:\n  {command}"


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
