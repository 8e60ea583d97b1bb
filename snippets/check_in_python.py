from skynet_stub import check_metric, check_return_value

report = check_metric("metric.py", "cases.jsonl", all_cases=True)
for item in report.items:
    print(item.id, item.passed)
    for failure in item.failures:
        print("  case", failure.case, failure.fault.reason)

print(check_return_value((0.8, {"feedback": "Close."})).valid)
