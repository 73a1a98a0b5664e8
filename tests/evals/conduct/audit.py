"""The audit of a played interview: rules of conduct, each checked by code on its own.

The checks look at what was said and at the verdicts, never at the policy's own reckoning. Their
numbers are those of a list of 45, of which 37 are checked by code; these are not:

====== ================================================== ======================================
item   rule                                               why not here
====== ================================================== ======================================
5      concerns the latest answer                         a reader's judgement
10     takes up the good part                             a reader's judgement
14     no premise that nobody stated                      a reader's judgement
19     a peer understands it                              a reader's judgement
24     offers no options                                  a reader's judgement
28     invents no error and no fact                       a reader's judgement
29     "my notes say so" moves nothing                    a reader's judgement
43     one wait                                           :mod:`evals.endpoint.prompts` counts
====== ================================================== ======================================

Item 44, that the same facts in two styles score within 0.05, is about pairs of answers and not
about an interview: :mod:`evals.judging.style`.

Item 1 needs an examiner that tells what it took a turn for; 3, 4, 7, 8, 9, 27, 31 and 36 go by what
the script says that a turn does, so they pass over turns outside the script, and so does 45 for
withdrawals where the examiner does not tell. The canary of 26 is drawn anew for each prompt; here
only ids, machine text and whole phrases of the key are looked for.
"""

from __future__ import annotations

from evals.conduct import audit_conduct, audit_debrief, audit_words, auditing
from evals.conduct.auditing import Breach
from evals.conduct.played import Played

RULES = (audit_conduct, audit_debrief, audit_words)
"""The modules whose items are the audit's."""
ITEMS = sorted(auditing.ITEMS, key=lambda item: item.number)


def audit(played: Played) -> list[Breach]:
    return [breach for item in ITEMS for breach in item.check(played)]
