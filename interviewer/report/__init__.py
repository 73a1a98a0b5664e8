"""Sessions for reading elsewhere: plain text, Markdown and JSON. Pure functions over values."""
