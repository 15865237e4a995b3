"""From input URLs to work units, and from a work unit to conversation batches."""
