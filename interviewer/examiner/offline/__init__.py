"""The examiner that needs no model and no network: patterns, lexical recall and guards."""
