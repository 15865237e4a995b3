"""From a config file to settings that the rooms understand."""
