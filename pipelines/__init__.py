"""Jobs, command line, config and executors: the only place that knows all rooms."""
