"""The derivation bench: a candidate's lines or function, run and compared with a reference.

None of the candidate's code runs in this process. A confined worker with torch returns numbers
(:mod:`interviewer.sandbox.worker`), and the verdict is reached here, from those numbers alone.
"""
