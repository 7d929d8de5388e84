"""Numbers and tables as text of a scene file."""


def number(value, digits=7):
    """`digits` decimal places, and as many digits in all, at most; -0 is 0."""
    return f"{round(value, digits) + 0.0:.{digits}g}"


def numbers(values, digits=7):
    return "[" + ", ".join(number(value, digits) for value in values) + "]"


def table(times, values, interpolation):
    return f"{{times: {numbers(times)}, values: {numbers(values)}, interpolation: {interpolation}}}"
