"""The shape of every metric: what it is called with and what it returns."""


def score(input, output, expected=None):
    score_value = ...  # a number: higher is better
    return score_value, {"feedback": "..."}
