import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { forStream, writeJson } from '../../../src/headless/print.ts'
import { sourcesIn } from '../main/syntax.ts'

const shared = new URL('../../../../shared/badinput/', import.meta.url)
const terminal = { isTTY: true }
/** What a terminal obeys, or passes over without a trace. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe('a line on a terminal', () => {
  test.each([
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u001b]8;;http://evil.test\u0007x',
    'FAIL\rPASS',
    'FAIL\b\b\b\bPASS',
    '\u009b2J',
    'a\u202eb',
  ])('%j steers nothing', text => {
    expect(forStream(text, terminal, {})).not.toMatch(steering)
  })

  test('is as it was where nothing in it steers, and always in a pipe', () => {
    expect(forStream('Größe 你好 👩🏽\u200d🚀\n\tx', terminal, {})).toBe('Größe 你好 👩🏽\u200d🚀\n\tx')
    expect(forStream('\u001b[2J', {}, {})).toBe('\u001b[2J')
  })

  test.skipIf(!existsSync(shared))('steers nothing with any of the collected sequences (skipped where the shared folder is absent)', () => {
    const own = JSON.parse(readFileSync(new URL('own/terminal_escapes.json', shared), 'utf8')) as { text: string }[] // a list of our own
    const lines = readFileSync(new URL('fuzzdb/terminal-escape-codes.txt', shared), 'latin1').split('\n')
    expect(own.length).toBeGreaterThan(10)
    for (const text of [...own.map(entry => entry.text), ...lines]) expect(forStream(text, terminal, {})).not.toMatch(steering)
  })
})

describe('a line in the log of a CI system', () => {
  const systems = [{ CI: 'true' }, { GITHUB_ACTIONS: '1' }, { TF_BUILD: 'True' }]
  const obeyed = /^[^\S\n]*::|##\[|##vso\[|##teamcity\[|\r(?!\n)/im

  test.each([
    '::set-output name=x::y',
    'a run\n  \t::error::x',
    'a run\r::add-mask::x',
    'title ##[error]x',
    '###[group]',
    '##VSO[task.setvariable variable=PATH]x',
    '##teamcity[buildStatus]',
  ])('%j commands nothing', text => {
    for (const env of systems) expect(forStream(text, {}, env)).not.toMatch(obeyed)
  })

  test('is as it was where it holds no command', () => {
    for (const env of systems) expect(forStream('a::b # c [x] ## d', {}, env)).toBe('a::b # c [x] ## d')
    expect(forStream('::notice::x', {}, { CI: 'false', TF_BUILD: '' })).toBe('::notice::x')
  })

  test('as JSON means what it meant', () => {
    const written: string[] = []
    const value = { '##[a]': '::b ##vso[c] ### ####', list: ['##'] }
    writeJson({ write: text => written.push(text) }, JSON.stringify(value, null, 2), { CI: '1' })
    expect(written.join('')).not.toMatch(obeyed)
    expect(JSON.parse(written.join(''))).toEqual(value)
  })
})

test('every command prints through it', () => {
  const own = ['src/headless/print.ts', 'src/headless/require-node.ts']
  // What builds, packs and opens the app says sentences of its own alone.
  const builds = /\/(?:packaging\/release|start|ensure-built|prepare|run-child)\.ts$/
  const printing = sourcesIn('src/headless').filter(
    ({ path, calls }) =>
      calls.some(call => call.startsWith('console.') || call === 'process.stdout.write') && !own.includes(path) && !builds.test(path),
  )
  expect(printing.map(({ path }) => path)).toEqual([])
})
