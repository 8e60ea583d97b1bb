"""Exact match, combined with the measured run time and model cost."""

from skynet import reward

REWARD_SPEC = {
    "weights": {"accuracy": 0.7, "speed": 0.2, "cost": 0.1},
    "accuracy": {},
    "speed": {"reference": 2000},  # milliseconds
    "cost": {"reference": 0.01},  # US dollars
}


def score(input, output, expected=None):
    label = expected.get("label") if isinstance(expected, dict) else None
    accuracy = 0.0
    if label is None:
        feedback = "This case has no expected label."
    elif not isinstance(output, str):
        feedback = f"Expected a string, got {output!r}."
    elif output == label:
        accuracy = 1.0
        feedback = f"Correct: the label is {label!r}."
    else:
        feedback = f"Expected {label!r}, got {output!r}."
    return reward(REWARD_SPEC, accuracy, feedback)
