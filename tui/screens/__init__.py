"""Home, setup, past sessions, the debrief and the rubrics; a module each."""
