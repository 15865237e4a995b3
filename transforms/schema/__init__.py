"""The data types that all other rooms share, without any processing."""
