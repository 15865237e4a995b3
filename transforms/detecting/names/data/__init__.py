"""The lists themselves; NOTICE.md says where they come from and under which licence."""
