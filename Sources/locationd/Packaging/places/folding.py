#!/usr/bin/env python3
"""Folds names as Sources/PlacesCore/Text/TextFolding.swift does; as a program, makes FoldingTable.swift: folding.py FILE.

A character folds to its compatibility decomposition (NFKD) without marks, with full case folding; letters of European alphabets that
Unicode does not decompose fold to their usual transcription.
"""
import sys
import unicodedata

LETTERS = {
    "æ": "ae", "ǽ": "ae", "ǣ": "ae", "œ": "oe", "ø": "o", "ǿ": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ħ": "h", "ı": "i", "ŋ": "n",
    "ŧ": "t", "ə": "e", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ʻ": "", "ʼ": "",
}
RANGES = [
    (0xA0, 0x24F), (0x250, 0x2BF), (0x370, 0x58F), (0x1E00, 0x1FFF), (0x2010, 0x201F), (0xFB00, 0xFB06), (0xFF01, 0xFF5E),
]


def decomposed(character):
    text = unicodedata.normalize("NFKD", character.casefold())
    text = "".join(LETTERS.get(c, c) for c in unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def table():
    result = {}
    for first, last in RANGES:
        for code in range(first, last + 1):
            character = chr(code)
            if unicodedata.category(character)[0] not in "LN" and character not in LETTERS:
                continue
            folded = decomposed(character)
            if folded != character and "⁄" not in folded and not any(c in folded for c in '"\\\n'):
                result[character] = folded
    return result


TABLE = table()


def fold(text):
    result, space = [], False
    for character in text:
        if character in TABLE:
            letters = TABLE[character]
        elif unicodedata.combining(character):
            continue
        elif character.isalnum() or unicodedata.category(character) in ("Mc", "Nl", "No"):
            letters = character.lower() if character < "\x80" else character
        else:
            space = True
            continue
        if space and result:
            result.append(" ")
        space = False
        result.append(letters)
    return "".join(result)


def main():
    entries = [character + folded for character, folded in TABLE.items()]
    lines = "\n".join("    " + " ".join(entries[first : first + 24]) for first in range(0, len(entries), 24))
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(
            f'''// swift-format-ignore-file
// Made by Sources/locationd/Packaging/places/folding.py from Unicode {unicodedata.unidata_version}; not to be edited.

/// Characters beyond ASCII with the letters to which they fold, in the order of their code points.
enum FoldingTable {{
  static let text = #"""
{lines}
    """#
}}
'''
        )


if __name__ == "__main__":
    main()
