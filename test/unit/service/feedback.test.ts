import { describe, expect, test } from 'vitest'
import { api } from '../../../src/contract/api.ts'
import { clientOf } from '../../../src/service/feedback/clean-report.ts'
import { fingerprint, wordsOf } from '../../../src/service/feedback/fingerprint.ts'
import { routeTemplates } from '../../../src/service/feedback/route-template.ts'

describe('the route of a path', () => {
  const templateOf = routeTemplates(api)

  test('is found for every operation, with its placeholders filled', () => {
    for (const { path } of Object.values(api)) {
      const filled = path.replaceAll(/\{\w+\}/g, '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b')
      expect(templateOf(`${filled}?x=1`)).toBe(path)
      expect(templateOf(path)).toBe(path)
    }
  })

  test.each([
    ['v1/runs', '/v1/runs'],
    ['/v1/runs/', '/v1/runs'],
    ['http://127.0.0.1:4747/v1/runs?cursor=abc', '/v1/runs'],
    ['/v2/runs', '/{value}/runs'],
    ['/v1/no-such-thing/42', '/v1/no-such-thing/{value}'],
    ['/v1/no-such/ThisIsSecret', '/v1/no-such/{value}'],
    ['?a=b', '/'],
    ['', '/'],
  ])('%s → %s', (path, route) => {
    expect(templateOf(path)).toBe(route)
  })
})

describe('like reports', () => {
  test('have the same words', () => {
    expect(wordsOf('  Run #12: FAILED, again!! ')).toBe('run failed again')
    expect(wordsOf('Ｆａｉｌｅｄ ２')).toBe('failed')
    expect(wordsOf('été')).not.toBe(wordsOf('ete'))
  })

  test('have the same fingerprint only with the same kind, route and code', () => {
    const attempted = { method: 'GET', path: '/v1/runs', request_id: null, http_status: 500, error_code: 'internal_error' }
    const report = { kind: 'bug', summary: 'It fails', attempted } as const
    const same = fingerprint(report)
    expect(
      fingerprint({ ...report, summary: 'it FAILS 3', attempted: { ...attempted, method: 'POST', http_status: 503, request_id: 'x' } }),
    ).toBe(same)
    expect(fingerprint({ ...report, kind: 'docs' })).not.toBe(same)
    expect(fingerprint({ ...report, attempted: null })).not.toBe(same)
    expect(fingerprint({ ...report, attempted: { ...attempted, error_code: 'conflict' } })).not.toBe(same)
    expect(fingerprint({ ...report, attempted: { ...attempted, path: '/v1/quotes' } })).not.toBe(same)
  })
})

test.each([
  ['curl/8.5.0', { name: 'curl', version: '8.5.0' }],
  ['Mozilla/5.0 (X11; Linux) Gecko', { name: 'Mozilla', version: '5.0' }],
  ['node', { name: 'node', version: null }],
  ['', null],
  ['(nobody)', null],
  [null, null],
])('the client of the User-Agent %j', (header, client) => {
  expect(clientOf(header)).toEqual(client)
})
