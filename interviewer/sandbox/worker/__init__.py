"""What runs under the sandbox's own interpreter: the standard library and torch, nothing of ours.

The package is started by path (``start.py``) and is then called ``worker``; its modules import each
other relatively, so that they work under both names.
"""
