"""The interview itself."""
