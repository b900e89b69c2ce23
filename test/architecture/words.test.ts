import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sources } from './sources.ts'

/**
 * Constructions that read as translated, and what to write instead. The list grows: whoever removes a construction from the code adds
 * it, with a planted sentence below.
 */
const constructions: readonly (readonly [RegExp, string])[] = [
  [/\bwhom\b/i, 'who, or name the person or thing'],
  [/\bfor ever\b/i, 'permanently, always, without end'],
  [/\bcarr(?:y|ies|ied|ying)(?: \w+)? out\b/i, 'execute, run, evaluate'],
  [/(?<!\b(?:how|as|so|many) )\bany more\b(?! than\b)/i, 'no longer'],
  [/\banew\b/i, 'again'],
  [/\b(?:goes|going|go|went|gone) on\b(?! to\b)/i, 'continue'],
  [/\bnobody\b/i, 'no worker, no reader, or say it of the thing: is not read'],
  [/\bof late\b/i, 'recently'],
  [/\bbeforehand\b/i, 'in advance'],
  [/\bshall\b/i, 'should, or the plain present'],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|other\b|better\b|worse\b|one\b)\w+/i, 'is not a, are not'],
  [/\bas (?:it|they) stands?\b/i, 'unchanged'],
  [/\bstands? (?:beside|before|between|behind|around|apart|there|where)\b/i, 'is beside, precedes, is between'],
  [/\bcame of (?:it|them)\b/i, 'the outcome'],
  [/\bspoken to\b/i, 'called, or name the protocol'],
  [/^\W*(?:by|under|for|of|at|as|in) which\b/i, 'name the thing: key by which, order of'],
  [/\b(?:tells?|told) of\b/i, 'describe, report, name'],
  [/\b(?:came|come|comes) to nothing\b/i, 'failed, ended without a result'],
  [/\bput to (?:the proof|a model|the model)\b/i, 'tested, sent to'],
  [/\bWhat of (?=\w+ )/, 'the part of it that'],
  [/\b(?:say|tell|know)s? nothing of\b(?! the kind)/i, 'nothing about'],
  [/(?<!\bthere )\b(?:is|are) none\b(?! of\b)/i, 'is not one, is not a, any other'],
]

/** What is odd in a text as it reads without line breaks and code. */
function oddIn(text: string): readonly string[] {
  const plain = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ').replaceAll(/`[^`]*`/g, '``')
  return constructions.flatMap(([pattern, instead]) => {
    const found = pattern.exec(plain)
    return found ? [`"${found[0]}": ${instead}`] : []
  })
}

/** Migrations are released and do not change. Texts that people read are not held here yet: tests and stored scores quote many of them. */
const read = sources.filter(({ file }) => !/^renderer\/|\/migrations\//.test(file))

/** Blocks, and what follows two slashes at the beginning of a line or after a blank. */
const commentsOf = (text: string) => text.match(/\/\*[^]*?\*\/|(?<=^|\s)\/\/ .*/gm) ?? []

/** A description on one line with another below it: something was put between the first and what it was written for. */
const orphan = /^[^\S\n]*\/\*\*[^\n]*\*\/\n[^\S\n]*\/\*\*/m

describe('words', () => {
  test.each([
    'Whom to call',
    'Kept for ever',
    'How a run is carried out',
    'It carries them out',
    'It is not listed any more',
    'Sealed anew',
    'A run that cannot go on',
    'Rows that nobody sees',
    'Tokens shown of late',
    'Not known beforehand',
    'What closing shall do',
    'Null for what is no number',
    'The question as it stands',
    'What stands before it',
    'What came of it',
    'How it is spoken to',
    'A claim is put to the proof',
    '/** By which it is known. */',
    'Failures that are told of',
    'An import that came to nothing',
    'What of a span is read',
    'A name that says nothing of its data',
    'Null for a text that is none',
    'A phrase that is broken for\n * ever',
  ])('finds what reads as translated in %j', text => expect(oddIn(text)).toHaveLength(1))

  test.each([
    'There is no such file, and it is no longer than that',
    'How many more? As many more as fit, and not any more than ten',
    'It is no better than chance',
    'Null where there is none, or where it is none of these',
    'A letter stands for a sample',
    'The same for everything',
    'It goes on to the next page',
    'Names of code: `nobody`, `carry out`',
  ])('lets %j pass', text => expect(oddIn(text)).toEqual([]))

  test('no comment of the product reads as translated', () => {
    const odd = read.flatMap(({ file, text }) =>
      commentsOf(text)
        .flatMap(oddIn)
        .map(fault => `${file}: ${fault}`),
    )
    expect(odd).toEqual([])
  })

  test('no guide or decision record reads as translated', () => {
    const root = new URL('../../', import.meta.url).pathname
    const pages = globSync('src/{*,decisions/*}.md', { cwd: root })
    expect(pages.length).toBeGreaterThan(20)
    const odd = pages.flatMap(path =>
      readFileSync(root + path, 'utf8')
        .split(/\n{2,}/)
        .flatMap(oddIn)
        .map(fault => `${path}: ${fault}`),
    )
    expect(odd).toEqual([])
  })

  test('finds a description that has lost what it describes', () => {
    expect(orphan.test('/** One thing. */\n/** Another. */\nconst b = 2')).toBe(true)
    expect(orphan.test('/** One thing. */\nconst a = 1\n/** Another. */\nconst b = 2')).toBe(false)
    expect(sources.filter(({ text }) => orphan.test(text)).map(({ file }) => file)).toEqual([])
  })
})

describe('a page says one thing in one word', () => {
  test.each([
    [/\bProvider(?:’s)? bill\b/, 'Provider cost'],
    [/microUsd === null\)[^\n]*not known/, 'Price unknown'],
    [/> *(?:price )?unknown *<\/|return 'price unknown'/, 'Price unknown'],
    [/Often missed below|Detectable (?:margin|from)/, 'Detectable difference'],
    [/Provider’s default/, 'Provider default'],
    [/[Ff]ind the cheapest|races cheaper/, 'cheaper and not worse, or better'],
  ])('%s is %s', (replaced, _) => {
    const saying = sources.filter(({ file, text }) => file.startsWith('renderer/') && replaced.test(text))
    expect(saying.map(({ file }) => file)).toEqual([])
  })
})
