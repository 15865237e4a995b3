"""What somebody looks up who writes a config: infoTypes, what a config means, a starter."""
