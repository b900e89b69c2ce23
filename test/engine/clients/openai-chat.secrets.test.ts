import { describe, expect, test } from 'vitest'
import { createSecretScrubber, createExcerpt } from '../../../src/engine/clients/http/excerpt.ts'
import type { WireScript } from '../../journeys/model-server/fault-server.ts'
import { failureIn, outcomeOf } from './client-under-test.ts'
import { errorReply, event, events, reply } from './scripted-replies.ts'

/** A key with characters that JSON, addresses and patterns treat specially. */
const key = 'canary"$&\\key+1/2=secret'
const header = 'Token canary-header-4711'
const word = 'canary-header-4711'
const inJson = JSON.stringify(key).slice(1, -1)

describe('no failure says the key or a header’s value, wherever the provider repeats it', () => {
  const scripts: Readonly<Record<string, WireScript>> = {
    'in an error message': errorReply(401, { message: `bad key ${key} with ${header}` }),
    'in an error message, again and again': errorReply(400, { message: `${key} `.repeat(50) }),
    'in an error code': errorReply(400, { code: key, type: word }),
    'in an error with 200': errorReply(200, { message: key }),
    'in a page': reply(200, `<html>${key} ${word}</html>`, { 'content-type': 'text/html' }),
    'in a page, as JSON would write it': reply(200, `{"key":"${inJson}"`),
    'in the content type': reply(200, 'x', { 'content-type': `text/${word}` }),
    'in the place of a redirect': reply(302, '', { location: `http://${word}.example/?key=${word}` }),
    'in an error event': events([`event: error\ndata: ${key}\n\n`]),
    'in an error inside an event': events([event({ error: { message: `${key} ${word}` } })]),
    'in a limit’s message': errorReply(429, { message: `limit of ${key}` }),
  }

  test.each(Object.entries(scripts))('%s', async (_, script) => {
    const { message } = failureIn(await outcomeOf(script, { apiKey: key, headers: { 'x-auth': header } }))
    for (const secret of [key, inJson, header, word]) expect(message).not.toContain(secret)
  })
})

describe('an excerpt', () => {
  const excerpt = createExcerpt(['canary-1234', 'Bearer canary-abcdefgh', 'abc'])

  test.each([
    ['blots out secrets', 'key canary-1234!', 'key [secret]!'],
    ['blots out words of a secret', 'key canary-abcdefgh!', 'key [secret]!'],
    ['leaves placeholders that are too short to be secrets', 'alphabet: abc', 'alphabet: abc'],
    ['blots out other people’s keys', 'use sk-proj-0123456789abcdef', 'use [secret]'],
    ['blots out bearer tokens', 'sent bearer 0123456789abcdef', 'sent [secret]'],
    ['blots out credentials in addresses', 'at http://me:pw@host/x', 'at http://[secret]host/x'],
    ['is one line without control or invisible characters', 'a\u001b[31m\r\n\tb\u202ec\u200bd', 'a [31m b c d'],
    ['is empty where nothing is left', '\u0000\n', ''],
  ])('%s', (_, text, expected) => {
    expect(excerpt(text)).toBe(expected)
  })

  test('is short, and cut only after secrets are out', () => {
    const text = `${'a'.repeat(195)} canary-1234 ${'b'.repeat(300)}`
    expect(excerpt(text)).toBe(`${'a'.repeat(195)} [sec…`)
  })

  test('does not cut a character in two', () => {
    expect(excerpt(`${'a'.repeat(199)}🦆🦆`)).toBe(`${'a'.repeat(199)}\ufffd…`)
  })
})

describe('a secret that is sent back in disguise', () => {
  const secret = 'canary-2f9c71d0e4b8a653'
  const middle = Math.floor(secret.length / 2)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const disguises: readonly (readonly [string, string, string])[] = [
    ['in base64', base64(secret), base64(secret).slice(0, 20)],
    ['in base64 behind a name', base64(`user:${secret}`), base64(`user:${secret}`).slice(8, 28)],
    ['in base64 behind two characters', base64(`xy${secret}`), base64(`xy${secret}`).slice(4, 24)],
    [
      'in base64 for addresses',
      Buffer.from(`a${secret}`).toString('base64url'),
      Buffer.from(`a${secret}`).toString('base64url').slice(2, 22),
    ],
    ['in hexadecimal', Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('hex').slice(0, 20)],
    ['reversed', [...secret].reverse().join(''), '356a8b4e'],
    ['in halves', `${secret.slice(0, middle)} and ${secret.slice(middle)}`, secret.slice(middle)],
  ]

  test.each(disguises)('%s is found in an excerpt', (_, sent, rest) => {
    const shown = createExcerpt([secret])(`refused: ${sent}!`)
    expect(shown).not.toContain(rest)
    expect(shown).toContain('[secret]')
  })

  test.each(disguises.slice(0, -1))('%s is found in what is stored of a reply', (_, sent, rest) => {
    const { text, bytes } = createSecretScrubber([secret])
    expect(text(sent)).not.toContain(rest)
    expect(Buffer.from(bytes(Buffer.from(`é ${sent}`))).toString()).toMatch(/^é .*\[secret\]/)
  })

  test('is not looked for where it is too short to tell from words', () => {
    expect(createExcerpt(['local-key'])('yek-lacol, local')).toBe('yek-lacol, local')
  })

  test('shows no part of one that is longer than what is looked at, however often it is said', () => {
    const long = Array.from({ length: 500 }, (_, i) => `k${i}q`).join('')
    for (let times = 1; times < 12; times++) {
      const shown = createExcerpt([long])(long.repeat(times))
      expect(shown.replaceAll('[secret]', ''), `${times} times`).toMatch(/^…?$/)
    }
  })
})

describe('a transcript', () => {
  const long = 'sk-live-7Qm2Xv9Lp4Rt8Zk1'
  const scrubber = createSecretScrubber([long, 'two short words..'])

  test('has neither half of a long secret', () => {
    const held = scrubber.text(`first ${long.slice(0, 12)} then ${long.slice(12)}`)
    expect(held).toBe('first [secret] then [secret]')
    expect(Buffer.from(scrubber.bytes(Buffer.from(`é ${long.slice(12)}`))).toString()).toBe('é [secret]')
  })

  test('keeps words that are half of a shorter secret', () => {
    expect(scrubber.text('two shor')).toBe('two shor')
  })
})
