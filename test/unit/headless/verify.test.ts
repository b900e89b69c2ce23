import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyRecord } from '../../../src/headless/verify.ts'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { bundleType, payloadType, preAuthHead, recordType, statementsOf } from '../../../src/lib/release-statements.ts'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const spki = publicKey.export({ type: 'spki', format: 'der' })
const fingerprint = sha256(spki)
const plan = { policy: { id: 'p', name: 'Ship', digest: 'aa' }, suite: { id: 's', name: 'Math', digest: 'bb' }, notes: { 7: [1.5, null] } }
const record = {
  _type: recordType,
  decision: { id: 'd', status: 'rejected', closed_at: '2026-01-01T00:00:00Z' },
  plan,
  plan_digest: sha256(canonicalJson(plan)),
  rules: [{ key: 'a', required: true, verdict: 'fail' }],
  app_version: '0.1.0',
}
const envelopes = statementsOf(record, sha256(canonicalJson(record))).map(statement => {
  const payload = Buffer.from(canonicalJson(statement))
  const sig = sign(null, Buffer.concat([Buffer.from(preAuthHead(payload.length)), payload]), privateKey).toString('base64')
  return { payload: payload.toString('base64'), payloadType, signatures: [{ keyid: fingerprint, sig }] }
})
const signed = canonicalJson({ _type: bundleType, envelopes, public_key: spki.toString('base64'), record })

const outcomeOf = (content: string | Uint8Array) =>
  verifyRecord(typeof content === 'string' ? Buffer.from(content) : content, fingerprint).outcome
/** Where an object begins, outside of texts. */
const objects = [...signed.matchAll(/"(?:[^"\\]|\\.)*"|\{/g)].flatMap(({ 0: found, index }) => (found === '{' ? [index + 1] : []))
/** The canonical text of a parsed one, with `__proto__` as a member like any other. */
const recanonicalized = (text: string) => canonicalJson(JSON.parse(text))

describe('assay verify', () => {
  test('accepts the record as it was signed', () => {
    expect(outcomeOf(signed)).toBe('valid')
  })

  test('refuses a record with any byte replaced, removed or added', () => {
    const bytes = Buffer.from(signed)
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), fc.constantFrom('replace', 'remove', 'add'), (at, byte, way) => {
        fc.pre(way !== 'replace' || bytes[at] !== byte)
        const put = way === 'remove' ? [] : [byte]
        expect(outcomeOf(Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(way === 'add' ? at : at + 1)]))).toBe(
          'invalid',
        )
      }),
      { numRuns: 2000 },
    )
  })

  test('refuses a record with a member added to any object, in canonical form too', () => {
    const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'status', 'approved_by', '7', ''), fc.string())
    fc.assert(
      fc.property(fc.constantFrom(...objects), name, fc.json({ maxDepth: 2 }), (at, key, value) => {
        const changed = `${signed.slice(0, at)}${JSON.stringify(key)}:${value},${signed.slice(at)}`
        expect(outcomeOf(changed)).toBe('invalid')
        const canonical = recanonicalized(changed)
        // A member that was there already wins over the added one.
        if (canonical !== signed) expect(outcomeOf(canonical)).toBe('invalid')
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['a lone surrogate', signed.replace('"Ship"', '"\\ud800"')],
    ['nesting without end', signed.replace('"7":[1.5,null]', `"7":${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ])('refuses %s as an outcome, not as a crash', (_, text) => {
    expect(outcomeOf(text)).toBe('invalid')
  })
})
