"""The grades of a finished session, with what carries them."""
