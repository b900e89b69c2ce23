import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { searchable, showHidden, textSegments } from '../../../../src/lib/format/visible-text.ts'

const bidiCases = new URL('../../../../../shared/badinput/own/bidi_control.json', import.meta.url)

describe('hidden characters', () => {
  test.each([
    ['right-to-left override', 'invoice\u202efdp.exe', 'invoice⟨U+202E⟩fdp.exe'],
    ['zero-width space', 'pass\u200bword', 'pass⟨U+200B⟩word'],
    ['NUL', 'a\u0000b', 'a⟨U+0000⟩b'],
    ['escape', '\u001b[31mred', '⟨U+001B⟩[31mred'],
    ['C1 control', '\u009b31mred', '⟨U+009B⟩31mred'],
    ['line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['tag characters', 'x\u{e0069}\u{e0067}', 'x⟨U+E0069⟩⟨U+E0067⟩'],
    ['variation selectors', 'a\ufe01\ufe02', 'a⟨U+FE01⟩⟨U+FE02⟩'],
    ['emoji selector without emoji', 'a\ufe0f', 'a⟨U+FE0F⟩'],
    ['second selector after an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f⟨U+FE0F⟩'],
    ['joiner after a letter', 'a\u200db', 'a⟨U+200D⟩b'],
    ['joiner after an emoji that joins nothing', '👍\u200d', '👍⟨U+200D⟩'],
    ['high surrogate alone', 'a\ud800', 'a⟨U+D800⟩'],
    ['low surrogate alone', '\udc00a', '⟨U+DC00⟩a'],
    ['non-character', '\uffff', '⟨U+FFFF⟩'],
    ['byte order mark', '\ufeffa', '⟨U+FEFF⟩a'],
    ['carriage return that overwrites', 'safe\revil', 'safe⟨U+000D⟩evil'],
  ])('%s is marked', (_name, text, shown) => {
    expect(showHidden(text)).toBe(shown)
  })

  test.each([
    ['plain text with tabs and line ends', 'a\tb\nc\r\nd'],
    ['a family emoji', '👨\u200d👩\u200d👧'],
    ['an emoji with skin color and joiner', '👩🏽\u200d🚀'],
    ['a red heart and a keycap', '❤\ufe0f 1\ufe0f\u20e3'],
    ['letters of many scripts', 'שלום مرحبا 你好 Привет é e\u0301'],
  ])('%s stays as it is', (_name, text) => {
    expect(showHidden(text)).toBe(text)
  })

  test('come as segments of their own, in order, with nothing lost between them', () => {
    expect(textSegments('a\u200b\u200bbc')).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'hidden', text: '⟨U+200B⟩' },
      { kind: 'hidden', text: '⟨U+200B⟩' },
      { kind: 'text', text: 'bc' },
    ])
    expect(textSegments('')).toEqual([])
  })

  test('do not hide a word from search', () => {
    expect(searchable('Pass\u200bWord')).toBe('password')
    expect(searchable('e\u0301')).toBe(searchable('É'))
  })
})

describe.skipIf(!existsSync(bidiCases))('bidi_control.json (skipped where the shared folder is absent)', () => {
  const raw = existsSync(bidiCases) ? readFileSync(bidiCases, 'utf8') : '[]'
  // The file is ours and its shape is fixed: a list of { id, text }.
  const cases = JSON.parse(raw) as { id: string; text: string }[]
  const shownAsTheyAre = new Set(['long-line', 'homoglyph', 'nfc-nfd'])

  test('marks something in every case that hides a character and nothing in the others', () => {
    expect(cases.length).toBeGreaterThan(10)
    for (const { id, text } of cases) {
      const marked = textSegments(text).some(segment => segment.kind === 'hidden')
      expect({ id, marked }).toEqual({ id, marked: !shownAsTheyAre.has(id) })
    }
  })
})
