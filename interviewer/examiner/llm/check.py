"""What works at an endpoint, step by step, for ``interviewer doctor``."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import dataclass

from interviewer.errors import ExaminerError
from interviewer.examiner.llm.client import ChatClient
from interviewer.examiner.llm.endpoint import Endpoint
from interviewer.examiner.llm.messages import Message
from interviewer.examiner.llm.request import ChatRequest
