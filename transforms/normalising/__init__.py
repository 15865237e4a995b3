"""What was said, read as what it stands for: spoken numbers, letters, addresses and dates, with exact offsets."""
