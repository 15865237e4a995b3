"""Read a config file and turn its sections into settings; what is wrong in it is a UserError of one line."""
