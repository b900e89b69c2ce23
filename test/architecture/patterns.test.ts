import { Visitor, parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { slowPart } from '../support/slow-patterns.ts'
import { sources } from './sources.ts'

/** Texts of others are read here. What the renderer and the report match is shown by them and bounded before. */
const readers = sources.filter(({ file }) => /^(?:contract|engine|headless|lib|main|service|storage|workers)\//.test(file))

test.each([
  [/[>)"'`*_\].!\s]+$/, 'without a beginning'],
  [/\s+$/, 'without a beginning'],
  [/<prompt>\s*([\s\S]*?)\s*<\/prompt>/, 'beside'],
  [/^a*a*b/, 'beside'],
  [/^\{\s*\n\s*\{/, 'beside'],
  [/^[^\n]*[,;][^\n]*=/, 'beside'],
  [/\d+\.?\d*x/, 'beside'],
  [/(?:x|\s)*\s+y/, 'beside'],
  [/0+$/, 'without a beginning'],
  [/^(?:\w+\s?)*z/, 'beside'],
  [/"(?:[^"\\]|\\.)*"/g, 'behind each "'],
  [/<[^>]*>/, 'behind each <'],
  [/\\\([^]*?\\\)/, 'behind each'],
  [/BEGIN[^:]*END/, 'behind each BEGIN'],
])('the rule finds what is slow in %s', (pattern, found) => expect(slowPart(pattern.source, pattern.flags)).toContain(found))

test.each([
  /^\s+|x$/,
  /^[\w-]+$/,
  /^\}[^\S\n]*\n\s*\{/,
  /^.+_\d+\/x/,
  /\d+[a-z]*\s/,
  /"[^"]*"$/,
  /(\d+)\.(\d+)/,
  /#[a-z]+$/,
  /a{1,9}a{1,9}$/,
  /^\d+(?:\.\d+)?$/,
  /[a-z]+(?:-[a-z]+)*:/,
  /"(?:[^"\\]|\\.)*"?/g,
  /<[^<>]*>/,
  /\*[^\n]*\*/g,
  /^"(?:[^"\\]|\\.)*"$/,
])('the rule lets %s pass', pattern => expect(slowPart(pattern.source, pattern.flags)).toBeNull())

test('no pattern of the product takes time that grows faster than its text', () => {
  const found = readers.flatMap(({ file, text }) => {
    const faults: string[] = []
    new Visitor({
      Literal: node => {
        if (!('regex' in node)) return
        const part = slowPart(node.regex.pattern, node.regex.flags)
        if (part !== null) faults.push(`${file}:${text.slice(0, node.start).split('\n').length} ${node.raw ?? ''}: ${part}`)
      },
    }).visit(parseSync(file, text).program)
    return faults
  })
  expect(found).toEqual([])
})
