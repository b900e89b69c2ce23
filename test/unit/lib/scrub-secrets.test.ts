import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scrubSecrets } from '../../../src/lib/scrub-secrets.ts'
import { cpuMsOf, slowness } from '../../support/machine-speed.ts'

describe('what is removed', () => {
  test.each([
    ['a key of this service', 'key asy_AbCdEf123456-_x here', 'key [removed] here'],
    ['a session of this service', 'asn_AbCdEf123456', '[removed]'],
    ['a provider key', 'use sk-proj-abc_DEF-123', 'use [removed]'],
    ['a short provider key', 'sk-abc123', '[removed]'],
    ['a key in quotes', '{"k":"sk-abcdefgh"}', '{"k":"[removed]"}'],
    ['keys known by their beginning', 'ghp_0123456789abcdefghij AKIAIOSFODNN7EXAMPLE', '[removed] [removed]'],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '[removed]'],
    ['a bearer value', 'curl -H "X: Bearer abc123.def"', 'curl -H "X: Bearer [removed]"'],
    ['a bearer value of letters alone', 'bearer abcdefghijkl', 'bearer [removed]'],
    ['a basic value', 'BASIC dXNlcjpwYXNz', 'BASIC [removed]'],
    ['an authorization header', 'Authorization: Token abc', 'Authorization: Token [removed]'],
    ['an authorization header as JSON', '{"Authorization": "Bearer x"}', '{"Authorization": "Bearer [removed]"}'],
    ['an assignment', 'api_key=abc', 'api_key=[removed]'],
    ['an assignment in a query', '/v1/x?a=1&apikey=abc&b=2', '/v1/x?a=1&apikey=[removed]&b=2'],
    ['an assignment to a variable', 'export OPENAI_API_KEY="a b c"', 'export OPENAI_API_KEY="[removed]"'],
    ['an assignment as JSON', '{"clientSecret": "p@ss w"}', '{"clientSecret": "[removed]"}'],
    ['an assignment as escaped JSON', String.raw`{\"password\": \"hunter2\"}`, String.raw`{\"password\": \"[removed]\"}`],
    ['an assignment as YAML', 'api_key: 0123456789', 'api_key: [removed]'],
    [
      'a signed URL of Amazon',
      'https://b.s3/x?X-Amz-Credential=AB%2F1&X-Amz-Signature=f00&id=7',
      'https://b.s3/x?X-Amz-Credential=[removed]&X-Amz-Signature=[removed]&id=7',
    ],
    ['a signed URL of Google', 'https://g/x?X-Goog-Signature=f00', 'https://g/x?X-Goog-Signature=[removed]'],
    ['a signed URL of Azure', 'https://a/x?sv=2020&sig=a%2Bb', 'https://a/x?sv=2020&sig=[removed]'],
    [
      'a signed URL of CloudFront',
      'https://c/x?Policy=e30_&Signature=f~0&Key-Pair-Id=K1',
      'https://c/x?Policy=[removed]&Signature=[removed]&Key-Pair-Id=[removed]',
    ],
    ['a private key', 'a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb', 'a\n[removed]\nb'],
    ['a private key that was cut off', 'x -----BEGIN PRIVATE KEY-----\nMIIE', 'x [removed]'],
    ['credentials of a connection string', 'postgres://me:p@ss@db.test:5432/x', 'postgres://[removed]@db.test:5432/x'],
    ['a password of a connection string', 'Server=db;Uid=me;Pwd=p-1;', 'Server=db;Uid=me;Pwd=[removed];'],
    ['a key of a storage account', 'AccountName=a;AccountKey=Zm9v==;', 'AccountName=a;AccountKey=[removed];'],
  ])('%s', (_what, text, expected) => {
    expect(scrubSecrets(text)).toBe(expected)
  })
})

describe('what stays', () => {
  test.each([
    'The basic authentication of the bearer token is confusing; basic auth works.',
    'A basic question: is the risk-assessment task-oriented?',
    'max_tokens=100 and output_tokens: 5, token: none',
    'See https://example.test/a@b?page=2#top and mail me@example.test',
    'run 0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b failed with provider_error',
    'The keyboard and the tokenizer=cl100k_base',
  ])('%s', text => {
    expect(scrubSecrets(text)).toBe(text)
  })
})

describe('any text', () => {
  test('is scrubbed once and for all, and no planted secret is left', () => {
    const hex = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'),
      minLength: 16,
      maxLength: 40,
    })
    fc.assert(
      fc.property(
        fc.string(),
        hex,
        fc.constantFrom('sk-', 'asy_', 'api_key=', 'Authorization: Bearer ', 'amqp://u:'),
        fc.string(),
        (before, secret, prefix, after) => {
          const suffix = prefix.startsWith('amqp') ? '@host' : ''
          const scrubbed = scrubSecrets(`${before} ${prefix}${secret}${suffix} ${after}`)
          expect(scrubbed).not.toContain(`${prefix}${secret}`)
          expect(scrubSecrets(scrubbed)).toBe(scrubbed)
        },
      ),
    )
  })

  test('of the greatest length takes no time to speak of, however it is built', async () => {
    const slow = slowness()
    for (const unit of [
      'a',
      'sk',
      '://',
      'http://a:',
      '-----BEGIN PRIVATE KEY-----',
      'token',
      'bearer ',
      'eyJ',
      'x-amz-',
      '"',
      '=',
      'password:\\"',
      'authorization: ',
    ]) {
      const spent = await cpuMsOf(() => scrubSecrets(unit.repeat(Math.ceil(20_000 / unit.length))))
      expect(spent, unit).toBeLessThan(1_000 * slow)
    }
  })
})
