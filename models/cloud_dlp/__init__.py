"""Google Sensitive Data Protection (Cloud DLP) as a detector: config, requests, retries, findings."""
