"""Who of a case is a witness and pseudonymised, and whose role is public (PSILENCE, CALD-pseudo 2024)."""
