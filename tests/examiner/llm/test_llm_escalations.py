"""A model judges the reply to a harder variant by the variant's own criteria, with the others."""

from __future__ import annotations

import json
from dataclasses import replace

from support.fake_endpoint import ANSWER, FakeEndpoint, context_of, findings, said
from support.rubrics import a_rubric

from interviewer.examiner.protocol import Move, MoveKind
from interviewer.grading.transcript import Turn, TurnKind
from interviewer.interview.examining import check_judgement
from interviewer.rubric.rubric import Rating

OMEGA = {"id": "omega", "claim": "Reversed, the omega effect decides it", "patterns": ["omega"]}
RUBRIC = a_rubric(escalations=["Anything else?", {"ask": "And reversed?", "criteria": [OMEGA]}])
REPLY = "Then the omega effect decides it."


async def test_it_goes_to_the_model_and_comes_back_checked(server: FakeEndpoint) -> None:
    server.will(said(findings(alpha="met", beta="not_met", gamma="not_met", omega="not_met")))
    asked = Turn(3, "examiner", TurnKind.ESCALATE, "And reversed?")
    turns = (*context_of().turns, asked, Turn(4, "candidate", TurnKind.ANSWER, REPLY))
    context = replace(context_of(), rubric=RUBRIC.with_escalation(1), turns=turns)
    judged = check_judgement(context, await server.examiner().judge(context))
    verdicts = {each.criterion: each.verdict for each in judged.verdicts}
    assert verdicts["omega"] is Rating.NOT_MET
    assert verdicts.keys() == {"alpha", "beta", "gamma", "omega"}
    sent = server.requests[0].content.decode()
    assert "Reversed, the omega effect decides it" in sent
    assert ANSWER in sent


async def test_before_it_is_asked_the_model_knows_the_question_alone(server: FakeEndpoint) -> None:
    context = replace(context_of(), rubric=RUBRIC)
    server.will(
        said(
            json.dumps(
                {
                    "acts": ["answer"],
                    "say": [{"move": "escalate", "topic": "", "text": "And reversed?"}],
                }
            )
        )
    )
    heard = await server.examiner().listen(context)
    assert [each.move for each in heard.proposals] == [Move(MoveKind.ESCALATE, escalation=1)]
    sent = server.requests[0].content.decode()
    assert "And reversed?" in sent
    assert "omega" not in sent
