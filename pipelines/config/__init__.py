"""Read a config file and turn its sections into settings; whatever is wrong in it is a UserError of one line."""
