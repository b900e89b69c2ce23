import { type Family, wordsFrom } from '../family.ts'

const someTexts: readonly (readonly unknown[])[] = [[''], ['a'], ['  '], ['AbC abc'], ['level']]

const shiftLetters: Family = {
  variants: 6,
  problem: variant => {
    const by = [1, 3, 5, 11, 13, 25][variant] ?? 1
    return {
      name: `shift_letters_by_${by}`,
      parameters: 'text: str',
      returns: 'str',
      request: `Replace each lower-case letter a to z by the one ${by} place${by === 1 ? '' : 's'} further in the alphabet, going on with a after z. Leave every other character as it is.`,
      body: `    return ''.join(chr((ord(c) - 97 + ${by}) % 26 + 97) if 'a' <= c <= 'z' else c for c in text)`,
      wrongBody: `    return ''.join(chr(ord(c) + ${by}) if 'a' <= c <= 'z' else c for c in text)`,
      arguments: draw => [wordsFrom(draw, [1, 4]).join(' ')],
      edges: [...someTexts, ['xyz'], ['Zz 9!']],
      topic: 'text',
    }
  },
}

const longWords: Family = {
  variants: 5,
  problem: variant => {
    const least = variant + 3
    return {
      name: `words_of_${least}_or_more`,
      parameters: 'text: str',
      returns: 'list[str]',
      request: `Return the different words of the text that have at least ${least} letters, sorted by length and then by the alphabet. Words are parted by blanks; there may be several in a row.`,
      body: `    return sorted({word for word in text.split() if len(word) >= ${least}}, key=lambda word: (len(word), word))`,
      wrongBody: `    return sorted(word for word in text.split(' ') if len(word) >= ${least})`,
      arguments: draw => [wordsFrom(draw, [2, 8]).join(draw.pick([' ', '  ']))],
      edges: [...someTexts, ['juniper ember juniper  moss larch dune'], ['otter larch heron grove juniper']],
      topic: 'text',
    }
  },
}

const countPairs: Family = {
  variants: 5,
  problem: variant => {
    const pair = ['ee', 'aa', 'll', 'oo', 'tt'][variant] ?? 'ee'
    return {
      name: `count_${pair}_overlapping`,
      parameters: 'text: str',
      returns: 'int',
      request: `Count how often "${pair}" stands in the text, whatever the case of its letters; occurrences may overlap.`,
      body: `    low = text.lower()\n    return sum(low[i:i + 2] == '${pair}' for i in range(len(low) - 1))`,
      wrongBody: `    return text.lower().count('${pair}')`,
      arguments: draw => [`${wordsFrom(draw, [1, 3]).join('')}${(pair[0] ?? '').repeat(draw.int(0, 5))}`],
      edges: [...someTexts, [pair + pair], [`${pair}${pair[0]}`], [pair.toUpperCase()]],
      topic: 'text',
    }
  },
}

const chunks: Family = {
  variants: 5,
  problem: variant => {
    const size = variant + 2
    return {
      name: `join_chunks_of_${size}`,
      parameters: 'text: str',
      returns: 'str',
      request: `Part the text into pieces of ${size} characters from its end, so that the first piece may be shorter, and join them with dashes.`,
      body: `    first = len(text) % ${size}\n    pieces = ([text[:first]] if first else []) + [text[i:i + ${size}] for i in range(first, len(text), ${size})]\n    return '-'.join(pieces)`,
      wrongBody: `    return '-'.join(text[i:i + ${size}] for i in range(0, len(text), ${size}))`,
      arguments: draw => [wordsFrom(draw, [1, 3]).join('')],
      edges: [...someTexts, ['abcdefg'], ['abcdefgh'], ['abcdefghijk']],
      topic: 'text',
    }
  },
}

const initials: Family = {
  variants: 4,
  problem: variant => {
    const mark = ['.', '_', '/', '+'][variant] ?? '.'
    const name = ['dots', 'underscores', 'slashes', 'pluses'][variant] ?? 'dots'
    return {
      name: `initials_with_${name}`,
      parameters: 'names: list[str]',
      returns: 'str',
      request: `Return the first letters of the names in upper case, joined by "${mark}". Names that are empty or hold nothing but blanks are left out.`,
      body: `    return '${mark}'.join(name.strip()[0].upper() for name in names if name.strip())`,
      wrongBody: `    return '${mark}'.join(name[0].upper() for name in names if name)`,
      arguments: draw => [wordsFrom(draw, [1, 5])],
      edges: [[[]], [['']], [['  ', 'ember']], [[' otter', 'x']]],
      topic: 'text',
    }
  },
}

export const textFamilies: readonly Family[] = [shiftLetters, longWords, countPairs, chunks, initials]
