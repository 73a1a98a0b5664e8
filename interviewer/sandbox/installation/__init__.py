"""An interpreter with torch: found, adopted, or made in an environment of its own."""
