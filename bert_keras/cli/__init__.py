"""The command line: one command a file, thin; the library does the work and never parses argv."""

from bert_keras.cli.app import app, main

__all__ = ["app", "main"]
