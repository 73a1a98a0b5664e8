"""The list of past interviews."""
