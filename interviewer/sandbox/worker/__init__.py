"""Runs under the sandbox's own interpreter, with the standard library and torch alone.

The package is started by path (``start.py``) under the name ``worker``; its modules import each
other relatively, so that they work under both names.
"""
