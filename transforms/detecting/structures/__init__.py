"""Text with a grammar of its own inside other text: URLs, XML, headers of mail, lines of a log."""
