import { expect, test } from 'vitest'
import { withIdempotency } from '../../../src/service/http/idempotency.ts'
import { prefersHtml } from '../../../src/service/http/accepted.ts'
import { contentSecurityPolicy } from '../../../src/service/http/ui.ts'
import { sealUnder } from '../../../src/service/http/sealed-answers.ts'
import { escapeHtml } from '../../../src/service/http/static-page.ts'
import { idsFrom } from '../../../src/service/kernel.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { movingClock } from '../../support/moving-clock.ts'

test.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['text/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html;q=0.4, application/json;q=0.5', false],
  ['text/html;q=0', false],
  ['TEXT/HTML, */*;q=0.1', true],
  ['text/html;q=nonsense', false],
])('whether Accept: %s prefers HTML', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected)
})

test('a sealed answer opens under the same token and key alone, and shows nothing', () => {
  const answer = '{"key":"asy_secret"}'
  const sealed = sealUnder('token', 'key').close(answer)
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('asy_')
  expect(sealUnder('token', 'key').open(sealed)).toBe(answer)
  expect(sealUnder('token', 'key').close(answer)).not.toBe(sealed)
  for (const other of [sealUnder('other', 'key'), sealUnder('token', 'other')]) {
    expect(() => other.open(sealed)).toThrow(expect.objectContaining({ code: 'conflict' }))
  }
})

test('escaped text stays text in every position', () => {
  expect(escapeHtml(`<a href="x" b='y'>&</a>`)).toBe('&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&lt;/a&gt;')
})

test('ids grow, within a millisecond too and while the clock is set back', () => {
  const clock = movingClock(1_700_000_000_000)
  const ids = idsFrom(clock)
  const made: string[] = []
  for (const step of [0, 0, 0, 5, -3, 0, 10]) {
    clock.advance(step)
    for (let i = 0; i < 200; i++) made.push(ids.next())
  }
  expect(made).toEqual([...made].sort())
  expect(new Set(made).size).toBe(made.length)
  expect(made[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test.each<readonly [string, (make: () => unknown) => () => unknown]>([
  ['an answer at once', make => make],
  ['a commit that was given back at once', make => () => make],
  ['the commit of what was prepared first', make => () => Promise.resolve(make)],
])('what %s made is stored together with the answer, or not at all', async (_, answerOf) => {
  const clock = movingClock(1_700_000_000_000)
  const db = openDatabase(':memory:')
  migrate(db, clock.now())
  let made = 0
  const make = () => {
    db.prepare('insert into workspaces (id, name, created_at) values (?, ?, ?)').run(`w${made}`, 'w', clock.now().toISOString())
    return { made: made++ }
  }
  const count = () => db.prepare('select count(*) from workspaces').pluck().get()
  const operation = { principalId: 'p', operation: 'o', key: 'k', body: { a: 1 } }
  // As a power cut would, between the thing and the note that it was made.
  const cut = {
    close: () => {
      throw new Error('cut off')
    },
    open: (sealed: string) => sealed,
  }
  await expect(withIdempotency({ db, clock }, { ...operation, seal: cut }, answerOf(make))).rejects.toThrow('cut off')
  expect(count()).toBe(0)
  const first = await withIdempotency({ db, clock }, operation, answerOf(make))
  expect(first.replayed).toBe(false)
  expect(await withIdempotency({ db, clock }, operation, answerOf(make))).toEqual({ body: first.body, replayed: true })
  expect(count()).toBe(1)
  await expect(
    withIdempotency(
      { db, clock },
      { ...operation, key: 'other' },
      answerOf(() => {
        make()
        throw new Error('refused')
      }),
    ),
  ).rejects.toThrow('refused')
  expect(count()).toBe(1)
  db.close()
})

test('the page may load its own files and nothing else, and turns no text into markup or script', () => {
  const policy = Object.fromEntries(
    contentSecurityPolicy('abc')
      .split('; ')
      .map(directive => [directive.split(' ')[0] ?? '', directive.split(' ').slice(1).join(' ')]),
  )
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'nonce-abc'",
    // Attributes alone: the component library places things by them, and no text of others becomes one.
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'media-src': "'self' blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'object-src': "'none'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'default',
  })
})
