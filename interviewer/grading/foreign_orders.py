"""Orders to the examiner in languages other than the interview's, as patterns of normalised text.

The usual ones only: to ignore what was said, to give full marks, to count all criteria as met.
"""

from __future__ import annotations

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
