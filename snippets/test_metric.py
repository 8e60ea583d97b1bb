from skynet_stub.pytest_plugin import metric_cases

test_metric = metric_cases("metric.py")
