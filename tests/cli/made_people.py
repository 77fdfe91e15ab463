"""Words that serve as names in synthetic records, and errors in them."""

import random

SYLLABLES = "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu".split()


def word(draw: random.Random, syllables: int = 3) -> str:
    return "".join(draw.choice(SYLLABLES) for _ in range(syllables))


def misspelt(draw: random.Random, text: str) -> str:
    at = draw.randrange(len(text))
    return text[:at] + draw.choice("xyzq") + text[at + 1:]
