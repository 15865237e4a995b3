"""Read a config file and turn its sections into settings."""
