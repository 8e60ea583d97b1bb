"""Score 1 when the output equals the expected label, else 0."""


def score(input, output, expected=None):
    label = expected.get("label") if isinstance(expected, dict) else None
    if label is None:
        return 0.0, {"feedback": "This case has no expected label."}
    if not isinstance(output, str):
        return 0.0, {"feedback": f"Expected a string, got {output!r}."}
    if output == label:
        return 1.0, {"feedback": f"Correct: the label is {label!r}."}
    return 0.0, {"feedback": f"Expected {label!r}, got {output!r}."}
