"""What past sessions say about the next one: strength by topic, weak spots, what is due."""
