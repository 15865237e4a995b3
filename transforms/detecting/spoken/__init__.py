"""What is said, read as what it stands for: numbers, letters, addresses and dates, with exact offsets."""
