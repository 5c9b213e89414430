"""The one exception that bad input raises."""


class InputError(ValueError):
    """Input that cannot be used; the message says what was wrong, where, and what would be right."""
