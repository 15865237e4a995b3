"""What commands share with a user: arguments, output on the terminal, exit codes."""
