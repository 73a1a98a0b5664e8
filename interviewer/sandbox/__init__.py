"""The derivation bench: a candidate's lines or function, executed and held against a reference.

Nothing of the candidate's runs in this process. A confined worker with torch answers with numbers
(:mod:`interviewer.sandbox.worker`), and the verdict is made here, from numbers alone.
"""
