"""The screens that are one file each: home, setup, sessions, transcript, rubrics."""
