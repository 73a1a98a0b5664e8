"""Several people hold whole interviews at once on one server, in two processes."""

from __future__ import annotations

import pytest
from support.endpoint import StubEndpoint
from support.many_people import hold
from support.postgres import Postgres

pytestmark = pytest.mark.postgres


def test_no_turn_is_lost_or_anothers(postgres: Postgres) -> None:
    """``tests/evals/durability/people.py`` does the same with 200."""
    with StubEndpoint() as stub:
        outcome = hold(postgres.migrated(), stub.base_url, people=5, processes=2)
    assert outcome.wrong == []
    assert outcome.answers >= 5 * 2
