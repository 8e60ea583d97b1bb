"""Let a model judge whether the output answers the question."""

from skynet import llm

PROMPT = """\
Is the answer to the question correct and complete?
Reply PASS or FAIL, and give your reasons in one sentence."""


def score(input, output, expected=None):
    if not isinstance(output, str):
        return 0.0, {"feedback": f"Expected a string, got {output!r}."}
    question = input["question"]
    reply = llm(PROMPT, input=f"Question: {question}\n\nAnswer: {output}")
    passed = reply.strip().lower().startswith("pass")
    return (1.0 if passed else 0.0), {"feedback": reply}
