"""The question browser: find, read, practise, mark, edit."""
