"""Small collections of real sentences that contain near-duplicates, generated from a seed.

English: H. Melville, Moby-Dick (1851), public domain. Others: the Universal Declaration of Human
Rights (1948), articles 1 to 3, in its official translations, public domain.
"""

from __future__ import annotations

import random

ENGLISH = """Call me Ishmael.
Some years ago, never mind how long precisely, having little or no money in my purse, and
nothing particular to interest me on shore, I thought I would sail about a little and see the
watery part of the world.
It is a way I have of driving off the spleen and regulating the circulation.
Whenever I find myself growing grim about the mouth; whenever it is a damp, drizzly November in
my soul; then, I account it high time to get to sea as soon as I can.
This is my substitute for pistol and ball.
With a philosophical flourish Cato throws himself upon his sword; I quietly take to the ship.
There is nothing surprising in this.
If they but knew it, almost all men in their degree, some time or other, cherish very nearly the
same feelings towards the ocean with me.
There now is your insular city of the Manhattoes, belted round by wharves as Indian isles by
coral reefs; commerce surrounds it with her surf.
Right and left, the streets take you waterward.
Its extreme downtown is the battery, where that noble mole is washed by waves, and cooled by
breezes, which a few hours previous were out of sight of land.
Look at the crowds of water-gazers there.
Circumambulate the city of a dreamy Sabbath afternoon.
What do you see? Posted like silent sentinels all around the town, stand thousands upon
thousands of mortal men fixed in ocean reveries.
Some leaning against the spiles; some seated upon the pier-heads; some looking over the bulwarks
of ships from China.
But these are all landsmen; of week days pent up in lath and plaster, tied to counters, nailed
to benches, clinched to desks.
How then is this? Are the green fields gone? What do they here?
But look! here come more crowds, pacing straight for the water, and seemingly bound for a dive.
Strange! Nothing will content them but the extremest limit of the land; loitering under the
shady lee of yonder warehouses will not suffice.
They must get just as nigh the water as they possibly can without falling in.
Once more. Say you are in the country; in some high land of lakes.
Take almost any path you please, and ten to one it carries you down in a dale, and leaves you
there by a pool in the stream.
There is magic in it.
Let the most absent-minded of men be plunged in his deepest reveries; stand that man on his
legs, set his feet a-going, and he will infallibly lead you to water, if water there be in all
that region.
Yes, as every one knows, meditation and water are wedded for ever.
But here is an artist.
He desires to paint you the dreamiest, shadiest, quietest, most enchanting bit of romantic
landscape in all the valley of the Saco.
What is the chief element he employs?
Why is almost every robust healthy boy with a robust healthy soul in him, at some time or other
crazy to go to sea?
Surely all this is not without meaning."""

OTHERS = """Alle Menschen sind frei und gleich an Würde und Rechten geboren.
Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit
begegnen.
Tous les êtres humains naissent libres et égaux en dignité et en droits.
Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un
esprit de fraternité.
Tout individu a droit à la vie, à la liberté et à la sûreté de sa personne.
Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de
razón y conciencia, deben comportarse fraternalmente los unos con los otros.
Все люди рождаются свободными и равными в своем достоинстве и правах.
Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства.
Каждый человек имеет право на жизнь, на свободу и на личную неприкосновенность.
Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.
Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με
πνεύμα αδελφοσύνης.
すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。
人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。
すべて人は、生命、自由及び身体の安全に対する権利を有する。
人人生而自由，在尊严和权利上一律平等。
他们赋有理性和良心，并应以兄弟关系的精神相对待。
มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ
모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.
Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.
Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền."""


def sentences(passage: str) -> list[str]:
    """One sentence per line; sentences that were broken across lines are joined again."""
    found: list[str] = []
    for line in passage.splitlines():
        if found and not found[-1].endswith((".", "?", "!", "。", "สิทธิ")):
            found[-1] += " " + line
        else:
            found.append(line)
    return found


SENTENCES = {"english": sentences(ENGLISH), "mixed": sentences(ENGLISH) + sentences(OTHERS) * 2}


def document(chance: random.Random, language: str, longest: int) -> str:
    return " ".join(chance.sample(SENTENCES[language], chance.randint(1, longest)))


def changed(chance: random.Random, text: str) -> str:
    """The text with one to four small changes of the kinds found in copies on the web."""
    words = text.split(" ")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(words))
        kind = chance.randrange(8)
        if kind == 0:
            words[at] = chance.choice(["whale", "sea", "été", "ship's", "x2", "море"])
        elif kind == 1 and len(words) > 1:
            del words[at]
        elif kind == 2:
            words.insert(at, chance.choice(["indeed", "the", "a", "ÜBER", "9"]))
        elif kind == 3:
            words[at] = words[at].upper()
        elif kind == 4:
            words[at] += chance.choice(["  ", "\t", "\n", "\u00a0", ",", " -"])
        elif kind == 5:
            other = chance.randrange(len(words))
            words[at], words[other] = words[other], words[at]
        elif kind == 6:
            words += words[at:at + 6]
        else:
            words = words[:max(1, len(words) - chance.randint(1, 5))]
    return " ".join(words)


def texts(seed: int, count: int, language: str = "mixed", longest: int = 5) -> list[str]:
    """About half of them are changed or unchanged copies of earlier ones; some are empty."""
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        kind = chance.random()
        if found and kind < 0.45:
            found.append(changed(chance, chance.choice(found) or "Call me"))
        elif found and kind < 0.55:
            found.append(chance.choice(found))
        elif kind < 0.58:
            found.append(chance.choice(["", " ", "...", "one", "one two", "ab"]))
        else:
            found.append(document(chance, language, longest))
    return found


def unrelated_words(chance: random.Random, count: int) -> str:
    """Words chosen at random from 50,000: two such texts share no five-word shingle."""
    return " ".join(f"w{chance.randrange(50_000)}" for _ in range(count))


def planted_pairs(seed: int, count: int, words: int = 200) -> list[str]:
    """Returns `count` unrelated texts, each followed by a copy with two to eight words replaced, so
    that similarities under words:5 are on both sides of 0.8."""
    chance = random.Random(seed)
    found: list[str] = []
    for _ in range(count):
        original = unrelated_words(chance, words).split()
        copy = list(original)
        for at in chance.sample(range(words), chance.randint(2, 8)):
            copy[at] = "changed" + str(chance.randrange(10**6))
        found += [" ".join(original), " ".join(copy)]
    return found
