"""The derivation bench: lines or a function, checked by numbers, each line marked in place."""
