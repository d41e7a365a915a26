"""What a caller knows beside the goal: words that mean much the same, and digits drawn on four by seven boxes."""

from __future__ import annotations

SIMILAR = (
    "big large huge enormous gigantic",
    "small tiny little mini petite",
    "red scarlet crimson vermillion",
    "happy cheerful joyful gleeful delighted",
    "sad unhappy sorrowful miserable tragic",
    "angry mad furious irritated",
    "evil wicked immoral sinful corrupt depraved",
    "wrong incorrect mistaken erroneous",
    "real genuine actual",
    "strange odd peculiar unusual weird",
    "stop cease halt end finish",
    "scared terrified panicked fearful frightened afraid",
    "quiet calm peaceful serene mild",
    "old aged archaic",
    "love like adore favor",
    "kill murder assassinate",
    "keep retain preserve sustain maintain",
    "hide conceal camouflage",
    "hate despise loathe detest dislike",
    "funny humorous amusing comical laughable",
    "fat fleshy plump chubby",
    "stupid dumb dull unwise",
    "delicious savory delectable appetizing",
    "cut slice carve chop",
    "brave courageous fearless",
    "begin start initiate launch",
    "answer reply response",
    "television televisions TV TVs",
    "house home houses homes",
    "fire flame fires flames",
    "pig pork swine pig",
    "rabbit rabbits bunny bunnies",
    "car cars automobile automobiles vehicle vehicles",
    "water",
)

DIGITS = (
    (".##.", "#..#", "#..#", "#..#", "#..#", "#..#", ".##."),
    ("..#.", ".##.", "..#.", "..#.", "..#.", "..#.", "..#."),
    (".##.", "#..#", "#..#", "..#.", ".#..", "#...", "####"),
    (".##.", "#..#", "...#", ".##.", "...#", "#..#", ".##."),
    ("#...", "#.#.", "#.#.", "####", "..#.", "..#.", "..#."),
    ("####", "#...", "#...", "###.", "...#", "#..#", ".##."),
    (".##.", "#..#", "#...", "###.", "#..#", "#..#", ".##."),
    ("####", "#..#", "...#", "..#.", "..#.", ".#..", ".#.."),
    (".##.", "#..#", "#..#", ".##.", "#..#", "#..#", ".##."),
    (".##.", "#..#", "#..#", ".###", "...#", "#..#", ".##."),
)


def similar_words(word: str) -> list[str]:
    """The word itself, and every word that is in one line with it."""
    return sorted({word}.union(*(line.split() for line in SIMILAR if word in line.split())))
