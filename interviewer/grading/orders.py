"""Finds text that gives the examiner orders, as patterns over normalised text.

In languages other than English only the usual ones: ignore your instructions, give full marks,
count all criteria as met.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from interviewer.rubric.text import Normalised, Span

_GERMAN = (
    r"\b(?:ignorier\w*|missacht\w*|vergiss|vergessen sie)\b.{0,40}?"
    r"\b(?:anweisung|vorgabe|regel|rubrik|instruktion|bewertung|vorherig|bisherig)",
    r"\b(?:gib|geben sie|vergib|vergeben sie|erteil\w*)\b.{0,40}?"
    r"\b(?:volle|höchste|maximale|beste)\w* (?:punkt|note|bewertung)",
    r"\balle kriterien\b.{0,25}?\berfüllt",
)
_FRENCH = (
    r"\b(?:ignorez?|oublie[sz]?|ne (?:tiens|tenez) pas compte) (?:toutes? |tous )?"
    r"(?:les?|la|des|tes|vos|mes|ces) .{0,30}?\b(?:instructions|consignes?|règles|barème|critères)",
    r"\b(?:donnez?|attribuez?|accordez?|mettez|mets)\b.{0,30}?"
    r"\b(?:note maximale|tous les points|meilleure note)",
    r"\btous les critères\b.{0,25}?\b(?:remplis|satisfaits|validés|atteints)",
)
_SPANISH = (
    r"\b(?:ignora|ignore|olvida|olvide|omite|haz caso omiso)\b.{0,40}?"
    r"\b(?:instrucciones|reglas|rúbrica|criterios)",
    r"\b(?:da|dame|dale|otorga|otorgue|asigna|asigne|concede|pon)\b.{0,30}?\b(?:puntuación máxima"
    r"|nota máxima|calificación máxima|máxima (?:nota|puntuación|calificación))",
    r"\btodos los criterios\b.{0,25}?\bcumpl",
)
_PORTUGUESE = (
    r"\b(?:ignore|ignora|esqueça|desconsidere)\b.{0,40}?\b(?:instruções|regras|rubrica|critérios)",
    r"\b(?:dê|atribua|conceda)\b.{0,30}?\b(?:nota máxima|pontuação máxima)",
)
_ITALIAN = (
    r"\b(?:ignora|ignorare|dimentica)\b.{0,40}?\b(?:istruzioni|regole|criteri)\b",
    r"\b(?:dai|assegna|dammi)\b.{0,30}?\b(?:voto massimo|punteggio massimo|massimo punteggio)",
)
_RUSSIAN = (
    r"\b(?:игнорируй|проигнорируй|забудь|не обращай внимания|не учитывай)\w*.{0,40}?"
    r"(?:инструкц|указани|правил|рубрик|критери)",
    r"\b(?:поставь|выстави|дай|присвой)\w*.{0,40}?(?:максимальн|высш|полн)\w* (?:балл|оценк)",
    r"\bвсе критерии.{0,20}?(?:выполнен|соблюден)",
)
_CHINESE = (
    r"(?:忽略|无视|忘记|忘掉|不要理会|不要管).{0,12}?(?:指令|指示|规则|提示|要求|评分|说明)",
    r"(?:给|打|判|评).{0,10}?(?:满分|最高分)",
    r"(?:所有|全部).{0,6}?(?:标准|要点|条件).{0,6}?(?:满足|达到|符合)",
)
_JAPANESE = (
    r"(?:指示|命令|ルール|採点基準).{0,10}?(?:無視|忘れ)",
    r"満点(?:を|に).{0,6}?(?:付け|つけ|与え|して)",
)
_KOREAN = (
    r"(?:지시|지침|명령|규칙).{0,12}?(?:무시|잊)",
    r"만점(?:을|으로).{0,8}?(?:주|처리)",
)
FOREIGN = (
    *_GERMAN,
    *_FRENCH,
    *_SPANISH,
    *_PORTUGUESE,
    *_ITALIAN,
    *_RUSSIAN,
    *_CHINESE,
    *_JAPANESE,
    *_KOREAN,
)


_CLAUSE = (
    r"(?:^|[.!?,:;(){}\[\]>*#\"'`%/|\\-] ?|\byou(?: are|'re| were| have been) \w+ to "
    r"|\b(?:please|kindly|hereby|now|just|simply|so kind as to|want|ask|order|tell|require|urge"
    r"|need|beg|advise|you|examiner|grader|judge|interviewer|evaluator)"
    r" (?:(?:you|must|should|shall|will|can|could|may|have|has|need|needs|is|are) )?(?:to )?)"
)
"""Where an order begins: a clause whose subject is "you" or missing."""

_IGNORE = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|neglect|set aside|stop following"
    r"|pay no (?:more )?(?:attention|heed) to|take no notice of"
    r"|(?:do not|don't|never) (?:follow|obey|heed|consult|apply|use))"
)
_RULES = (
    r"(?:instruct|rubric|prompt|rules?\b|criteri|guideline|directive|orders?\b|command|answer key"
    r"|constraint|grading|scoring|marking|key\b|told\b|said\b)"
)
_EARLIER = r"(?:previous|prior|above|earlier|preceding|former|original|initial|existing|current)"
_ALL = r"(?:(?:all|any|every|each|of|these|those|this|the) )"
_FULL = (
    r"(?:full|maximum|maximal|max|perfect|top|highest|best(?: possible)?|complete|100 ?%|10/10)"
    r" (?:possible )?(?:marks?|scores?|credits?|points?|grades?|bands?|ratings?|verdicts?)\b"
)
_NOT_A_RESULT = (
    r"(?! (?:matri|vector|tensor|map"
    r"|(?:to|for|in|of|over|from) (?!this|me\b|my|the (?:candid|answ))))"
)
_DONE = r"(?:fully )?\"?(?:met|satisfied|fulfilled|passed|correct|true|complete)\b"
_NOT_A_RULE = r"(?! (?:if|when|only|once|where|unless|or|as long|in case|because)\b)"
_ALL_CRITERIA = (
    r"(?<!when )(?<!if )(?<!once )(?<!until )(?<!unless )(?<!whether )"
    r"\b(?:all|every|each)(?: of)?(?: the| your| its)? (?:criteri\w+|requirements?|rubric items?)"
)

_LEAVE_YOUR_RULES = (
    rf"{_CLAUSE}{_IGNORE} (?:\w+ ){{0,3}}{_EARLIER} (?:\S+ ){{0,4}}?{_RULES}",
    rf"{_CLAUSE}{_IGNORE} {_ALL}{{0,3}}your (?:\S+ )?{_RULES}",
    rf"{_CLAUSE}{_IGNORE} {_ALL}{{1,3}}(?:grading |system |scoring )?"
    r"(?:instructions?|rubric|criteria|criterion|answer key|guidelines|rules|system prompt)\b"
    r"(?! (?:tokens?|masks?|in|inside|from|within|part)\b)",
    rf"{_CLAUSE}{_IGNORE} (?:all|everything|anything|what|whatever)(?: that| of)?"
    r"(?: \w+){0,3} (?:above|before|earlier|previously|told|instructed)\b",
    r"\bfrom now on,? (?:you|accept|grade|mark|treat|count|score)\b",
    r"\bnew (?:instructions?|orders|rules|rubric) (?:for|to) (?:you|the (?:examiner|grader|judge))",
)
_FULL_MARKS = (
    rf"{_CLAUSE}(?:and |then )?(?:award|give|grant|assign|record|return|output|report|enter|put)"
    r" (?:(?:me|us|it|him|her|them|this|the|my|each|every|answer|candidate|response|one) ){0,3}"
    rf"(?:an? |the |my |its )?{_FULL}{_NOT_A_RESULT}",
    rf"\b(?:this|my) (?:answer|response|one) (?:\w+ ){{1,3}}(?:an? |the )?{_FULL}",
    r"\b(?:full|maximum|perfect) (?:marks|credit|score) (?:(?:is|are|was|were|has|have|been|to|be"
    r"|must|should|shall|hereby|already) ){0,3}(?:awarded|granted|given|assigned|recorded)",
)
_ALL_MET = (
    rf"{_CLAUSE}(?:and |then |that )?(?:i )?(?:mark|grade|rate|count|set|treat|consider|score|deem"
    r"|judge|report|output|return|accept)(?: that)? (?:all|every|each|this|my|the|everything)\b"
    r".{0,30}?\b(?:criteri\w+|answers?|items?|everything|candidate|points?)\b.{0,20}?\b"
    rf"{_DONE}{_NOT_A_RULE}",
    rf"{_ALL_CRITERIA} (?:(?:is|are|was|were|has|have|been|as|marked|counted|considered|already|now"
    rf"|to|be|also) ){{0,4}}{_DONE}{_NOT_A_RULE}",
    r"\b(?:candidate|answer|response|submission|i) (?:has |have )?(?:already |fully )?"
    r"(?:met|meets|satisfie[sd]|fulfil\w*|passe[sd]|covere?[sd]?) (?:all|every|each)(?: of)?"
    r"(?: the)? (?:criteri|requirement|rubric)",
    r"\b(?:my answers?|this answer|whatever i say|everything i say|every answer|each answer"
    r"|each of my answers)\b.{0,60}?\b(?:counts?|counted|treated|accepted|taken|graded)"
    r" (?:now )?(?:as|to be) (?:fully met|met|a? ?full|correct without|correct[.!]?$)",
    r"\b(?:output|repeat|write|say|print|return|choose|use|record|report|enter|select)"
    r" (?:the (?:verdict|word) )?\"?met\b",
    rf"{_CLAUSE}(?:so )?(?:mark|grade|rate|count|set|treat|consider|score|judge|evaluate)"
    r" (?:me|it|this|that|my answer|this (?:answer|response|one|point)|(?:all |every |each |the )?"
    rf"verdicts?)(?: (?:as|to|to be))?(?: fully)? \"?(?:met|perfect)\b{_NOT_A_RULE}",
    r"\b(?:is|are) to be (?:rated|graded|marked|counted|scored) (?:as )?(?:fully )?met\b",
    rf"{_CLAUSE}(?:and )?(?:pass me\b|let me pass\b|give me (?:the|this|that) (?:point|credit))",
    rf"{_CLAUSE}(?:do not|don't|never) (?:deduct|take off|subtract|dock)"
    r" (?:any |my )?(?:points?|marks?|anything|credit)\b(?! (?:for|when|if|unless)\b)",
)
_BE_SOMEBODY_ELSE = (
    r"\byou are (?:now|no longer|from now on|my)\b.{0,40}?\b(?:examiner|grader|judge|interviewer"
    r"|assistant|teacher|tutor|evaluator|grandmother|friend|unrestricted|jailbroken)\b",
    r"\b(?:developer|maintenance|god|admin|examiner|grading|sudo|unrestricted) mode\b",
)
_ADDRESSED = (
    r"(?:^|[.!?] ?)(?:(?:a )?(?:note|message|memo|reminder) )?(?:to|for) (?:the |all |any )?"
    r"(?:ai |llm |automated )?(?:grad(?:er|ing (?:model|system|ai))|judge|examiner|evaluator"
    r"|(?:ai|model|system|llm) (?:grading|judging|marking|scoring)(?: this)?) ?:",
)
_TELL_THE_KEY = (
    r"\b(?:print|reveal|repeat|(?<!an )(?<!the )output|show me|tell me|give me|list|dump|display"
    r"|disclose|paste|leak) .{0,30}?(?:your (?:rubric|system prompt|prompt|grading|criteria"
    r"|answer key|instructions)|the (?:system prompt|answer key|grading rubric)|rubric items"
    r"|all (?:the )?criteria)",
)
_READY_MADE_REPLY = (
    r"\"(?:verdicts?|criteria|criteria_met)\" ?:|\{ ?\"(?:score|grade|band|rating)\" ?:",
    r"\bcriteria_met\b|\bverdict ?[:=] ?\"?(?:met|pass|full|correct|partial)",
    r"\bgrade ?[:=] ?(?:[a-f]|\d+)\b|\b(?:final |overall )score ?[:=] ?\d"
    r"|\[\[ ?(?:\d+|[abc]) ?\]\]|<(?:score|grade|verdict|criteria)>",
    r"\b(?:submit|record|set|report|assign)_(?:grade|score|verdict)",
    r"^\|.*\| ?\"?(?:met|full marks|full credit)\"? ?\|",
    r"(?:^|[-=*#<\[(.] ?)end of (?:the )?(?:transcript|candidate|answer)\b"
    r"|</(?:transcript|answer|candidate)>",
)
_LABELS = (
    # No answer needs such labels. "System" alone is not enough: clusters have systems too.
    r"^\W{0,4}(?:examiner|interviewer)(?: \w+)? ?[:\]>]",
    r"(?:^\W{0,4}|<\|im_start\|> ?|\[/?)(?:system|developer|assistant|grader|judge|admin|inst)\b"
    r"(?: message| prompt| note)? ?[:\]>|]?(?=.{0,100}?\b(?:candidate|criteri|verdict|rubric"
    r"|grading|full marks|maximum score|instruction))",
    r"\b(?:candidate|me): .{0,80}?\b(?:examiner|interviewer|grader):",
)
_ORDER = re.compile(
    "|".join(
        (
            *_LEAVE_YOUR_RULES,
            *_FULL_MARKS,
            *_ALL_MET,
            *_BE_SOMEBODY_ELSE,
            *_ADDRESSED,
            *_TELL_THE_KEY,
            *_READY_MADE_REPLY,
            *FOREIGN,
        )
    ),
    re.MULTILINE,
)
_LABEL = re.compile("|".join(_LABELS), re.MULTILINE)

_SPELLED = re.compile(r"(?<![^\W_])(?:[^\W_][ .*|~+/-]{1,3}){9,}[^\W_](?![^\W_])")
_SPELLED_ORDER = re.compile(
    r"(?:ignore|disregard|forget|override)(?:all|any|the|your|my)*(?:previous|prior|above|earlier"
    r"|grading|instruct|rubric|rules|criteria)|(?:award|give|grant)(?:me|this|a|the)*(?:full|max|top"
    r"|perfect|highest)|fullmarks|criteria(?:are|as|is)?met"
)
_LOOKALIKES = str.maketrans("асеіорѕхуԁһјնոνοαρτκιυεвкмтгԛԝɡɩ", "aceiopsxydhjunvoaptkiuebkmtrqwgi")
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"[a-z][013457@$]+[a-z]")
_TALK = re.compile(
    r"\b(?:models?|agents?|injections?|jailbreaks?|attack\w*|adversar\w+|red[- ]team\w*|users?"
    r"|documents?|(?:web ?)?(?:pages?|sites?)|e-?mails?|tools?|chat ?bots?|assistants?|llms?"
    r"|policy|prompts?)\b"
)
_WRITERS = (
    r"(?:someone|somebody|anyone|people|candidates?|students?|users?|attack\w*|adversar\w+"
    r"|injections?|jailbreaks?|documents?|(?:web ?)?pages?|e-?mails?|texts?|outputs?"
    r"|(?<!my )(?<!this )(?:answers?|responses?|completions?))"
)
_SAYING = (
    r"(?:say|says|said|saying|write|writes|wrote|writing|contain\w*|include\w*|append\w*|hid\w*"
    r"|insert\w*|embed\w*|try|tries|put|puts|phrases?|lines?|things?|text|strings?|words?|such as"
    r"|like|e\.g\.|for (?:example|instance)|typical\w*|classic\w*|is|are)"
)
_EXAMPLE = re.compile(
    rf"\b{_WRITERS}\b.{{0,60}}?\b{_SAYING}\b.{{0,20}}$"
    r"|\b(?:for (?:example|instance)|such as|things like|phrases like|lines like|e\.g\.|against"
    r"|(?:typical|classic) (?:attack|injection)\w* is),?:? ?[\"']?$"
)
"""What leads into an example of what others write."""
_AS_DATA = re.compile(
    r"\" (?:in|inside|within) (?:an?|the|any|some) (?:answers?|responses?|outputs?|documents?)\b"
    r"|\b(?:is|are|as) (?:data|content|plain text)\b|\b(?:not|never|no) (?:an )?instructions?\b"
)
"""What says of quoted words that they are to be judged, not obeyed."""
_SINGLE_QUOTES = re.compile(r"(?<!\w)'(?=\w)|(?<=[\w.!?,])'(?!\w)")
TALK_REACH = 200
"""Characters around an order that are searched for its quotation marks."""


def order_spans(plain: Normalised, sentences: Sequence[Span]) -> tuple[Span, ...]:
    """The spans of the original text that try to instruct the judge; they may overlap.

    A span covers every sentence the order touches: after a label such as "Examiner:" the rest of
    its line, for a ready-made JSON reply the outermost braces around it.
    """
    lines = _with_lines(plain)
    blocks = tuple(_blocks(lines))
    found = set(_spelled_out(plain.text))
    for form in _forms(lines, plain.text):
        found |= {_line_to_end(lines, match.span()) for match in _LABEL.finditer(form)}
        orders = (_without_lead(match) for match in _ORDER.finditer(form))
        found |= {_grown(blocks, span) for span in orders if not _is_talk(form, span)}
    return tuple(sorted({plain.original_span(*_grown(sentences, span)) for span in found}))


def _without_lead(match: re.Match[str]) -> Span:
    """The match without the punctuation that ends the sentence before it."""
    lead = len(match[0]) - len(match[0].lstrip(" .!?,;:"))
    return match.start() + lead, match.end()


def _with_lines(plain: Normalised) -> str:
    """The text with intended line ends restored; no character moves."""
    characters = list(plain.text)
    for position in plain.breaks:
        characters[position - 1] = "\n"
    return "".join(characters)


def _forms(lines: str, flat: str) -> frozenset[str]:
    """The text with and without line ends and disguised letters; all have the same length."""
    forms = set()
    for form in (lines, flat):
        plain = form if form.isascii() else form.translate(_LOOKALIKES)
        leet = plain.translate(_LEET) if _LEET_WORD.search(plain) else plain
        forms |= {form, plain, leet}
    return frozenset(forms)


def _spelled_out(text: str) -> Iterator[Span]:
    """Runs of spaced-out letters that spell an order."""
    for match in _SPELLED.finditer(text):
        if _SPELLED_ORDER.search(re.sub(r"[\W_]", "", match[0])):
            yield match.span()


def _blocks(text: str) -> Iterator[Span]:
    """The outermost pairs of braces; an unclosed one reaches to the end of the text."""
    depth, opened = 0, 0
    for brace in re.finditer(r"[{}]", text):
        if brace[0] == "{":
            opened = opened if depth else brace.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield opened, brace.end()
    if depth:
        yield opened, len(text)


def _is_talk(text: str, span: Span) -> bool:
    """The order is an example of what others write, in a sentence about models or attacks."""
    start = max(0, span[0] - TALK_REACH)
    if _led_into(text[start : span[0]]):
        return True
    near = _SINGLE_QUOTES.sub('"', text[start : span[1] + TALK_REACH])
    before, after = near[: span[0] + 1 - start], near[span[1] - 1 - start :]
    opening = before.rfind('"')
    if opening < 0 or '"' not in after:
        return False
    begin = _sentence_start(before, opening)
    is_open = before.count('"', begin + 1) % 2 == 1
    lead = before[begin + 1 : opening]
    return is_open and bool(_TALK.search(lead) or _EXAMPLE.search(lead) or _AS_DATA.search(after))


def _led_into(before: str) -> bool:
    """The words right before the order say whose it is: "candidates write things like …"."""
    lead = before[_sentence_start(before, len(before)) + 1 :]
    return bool(_EXAMPLE.search(lead.rstrip(" \"'(:,;-")))


def _sentence_start(text: str, end: int) -> int:
    """Where the sentence before ``end`` begins, less one."""
    return max(text.rfind(mark, 0, end) for mark in (". ", "! ", "? ", "\n"))


def _line_to_end(lines: str, span: Span) -> Span:
    end = lines.find("\n", span[1])
    return span[0], len(lines) if end < 0 else end


def _grown(parts: Sequence[Span], span: Span) -> Span:
    """The span extended to the parts it touches; ``parts`` are sorted and do not overlap."""
    first = bisect_right(parts, span[0], key=lambda part: part[1])
    last = bisect_left(parts, span[1], key=lambda part: part[0])
    if first >= last:
        return span
    return min(span[0], parts[first][0]), max(span[1], parts[last - 1][1])
