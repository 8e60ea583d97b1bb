"""Score half for being JSON, half for the share of expected fields present."""

import json


def result(format, fields, feedback):
    scores = {"format": format, "fields": fields}
    return (format + fields) / 2, {"feedback": feedback, "scores": scores}


def score(input, output, expected=None):
    names = expected.get("fields") if isinstance(expected, dict) else None
    if not isinstance(names, list):
        return result(0.0, 0.0, "This case has no list of expected fields.")
    if not isinstance(output, str):
        return result(0.0, 0.0, f"Expected JSON text, got {output!r}.")
    try:
        data = json.loads(output)
    except (ValueError, RecursionError) as error:
        return result(0.0, 0.0, f"The output is not JSON: {error}.")
    if not isinstance(data, dict):
        return result(0.0, 0.0, f"Expected a JSON object, got {output}.")
    missing = [name for name in names if name not in data]
    if missing:
        share = (len(names) - len(missing)) / len(names)
        return result(1.0, share, f"Missing: {', '.join(map(repr, missing))}.")
    return result(1.0, 1.0, "All expected fields are present.")
