"""Files that people write, rubrics, plans and challenges: find, load, report problems by line."""
