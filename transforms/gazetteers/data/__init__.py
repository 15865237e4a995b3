"""The lists; NOTICE.md has their sources and licences."""
