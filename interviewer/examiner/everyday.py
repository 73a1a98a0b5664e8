"""Words that tell nothing of a point: questions on any subject are made of them."""

from __future__ import annotations

from interviewer.grading.lexical import COMMON_STEMS, content_stems

EVERYDAY_STEMS = COMMON_STEMS | content_stems(
    "act add afterwards against alone along already annotators anything apart arithmetic arrives "
    "aside ask attention average away back backward bad base batch batches becomes begin behave "
    "behind believe besides better big bill bits block breaks bring budget buy bytes call came "
    "cards carry case chat check checkpoint choice cluster code colleague compare conversation "
    "convince corpus count curve cut day decide decision depend devices dies direction divide "
    "documents done double draw end enter entries entry equal estimate everything exactly expect "
    "experiment factor far figures file final find fine finished fit fixed follow form format "
    "formula forward found full gain gigabytes gone good gpus gradient group hand hardware head "
    "help hold hour hurt input inside item job judge keep kept labelled labels last later launch "
    "layer learn learned learning leave left length less lie limit line list log long longer look "
    "loop lost machine material matrix matter method middle minutes money month move multiply "
    "name network never new next nothing notice objective often old operations optimiser options "
    "order output pair paper parameter pass passes pay peak people per percent pick picture piece "
    "pipeline place plain policy position product project prompt published quantity rank rate "
    "reach reaches read real recipe record replace reports requests response rest return reward "
    "room round rows rule samples save scale schedule score scorer seen send sequence settings "
    "settle several shape share short show side single sit slow somebody spend split spread stage "
    "stands start state stop store stored sum suspect switch table target task team tell tensor "
    "term test text today together top total touch trained transformer trick trouble trust try "
    "tune tuned tuning turn twice type update users usual version walk wants watch week weights "
    "went whose wires word worse worth write written wrong yours yourself zero "
    "one two three four five six seven eight nine ten eleven twelve fifteen sixteen twenty thirty "
    "forty fifty sixty hundred thousand million billion half third quarter"
)
"""What at least seven of the library's first 138 rubrics said in their questions, and spelt-out
numbers. It is not made anew as the library grows: the checks were measured with these words."""
