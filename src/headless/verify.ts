import { createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import { bundleType, payloadType, preAuthHead, recordType, statementsOf } from '../lib/release-statements.ts'
import { mostData, readNamedFile } from './read-named-file.ts'
import { complain, print } from './print.ts'

const Envelope = z.strictObject({
  payload: z.string(),
  payloadType: z.literal(payloadType),
  signatures: z.tuple([z.strictObject({ keyid: z.string(), sig: z.string() })]),
})
const Named = z.looseObject({ id: z.string(), name: z.string(), digest: z.string() })
/** `unknown` hands a value on as it was read: a parsed copy may lack what the signer did not sign. */
const Bundle = z.strictObject({
  _type: z.literal(bundleType),
  envelopes: z.tuple([Envelope, Envelope]),
  public_key: z.string(),
  record: z.unknown(),
})
const RawPlan = z.object({ plan: z.unknown() })
const SignedRecord = z.looseObject({
  _type: z.literal(recordType),
  decision: z.looseObject({ id: z.string(), status: z.string(), closed_at: z.string() }),
  plan: z.looseObject({ policy: Named, suite: Named }),
  plan_digest: z.string(),
  rules: z.array(z.looseObject({ key: z.string(), required: z.boolean(), verdict: z.string() })),
  app_version: z.string(),
})

export interface Verification {
  /** `valid`: intact and signed by the given key. `unknown_signer`: intact, and no key was given. */
  readonly outcome: 'valid' | 'unknown_signer' | 'invalid'
  readonly message: string
}

/**
 * Checks a signed release record without a service: every byte is the canonical one, the statements follow from the record, and both
 * signatures are of the key. @param fingerprint SHA-256 of the signer's public key, from a source that the file's sender does not control
 */
export function verifyRecord(bytes: Uint8Array, fingerprint: string | null): Verification {
  const invalid = (why: string): Verification => ({ outcome: 'invalid', message: `Not valid: ${why}` })
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let parsed: unknown
  let hasPrototype = false
  try {
    parsed = JSON.parse(text, (key, value: unknown) => {
      hasPrototype ||= key === '__proto__'
      return value
    })
  } catch {
    return invalid('the file is not JSON. Download the record with format=dsse.')
  }
  // Programs that copy objects lose or obey such a member, so they would show another record than the one that was checked.
  if (hasPrototype) return invalid('the file was changed: it has a member named "__proto__".')
  const bundle = Bundle.safeParse(parsed)
  const signed = SignedRecord.safeParse(bundle.data?.record)
  if (!bundle.success || !signed.success) return invalid('the file is not a signed release record. Download the record with format=dsse.')
  const { envelopes, public_key: publicKey } = bundle.data
  const record = signed.data
  if (!isCanonical(parsed, text) || Buffer.from(text).compare(bytes) !== 0)
    return invalid('the file was changed: it is not in canonical form.')
  const key = decode(publicKey)
  if (key === null) return invalid('the public key is not base64.')
  const actual = createHash('sha256').update(key).digest('hex')
  if (fingerprint !== null && actual !== fingerprint.toLowerCase())
    return invalid(`it is signed by the key ${actual}, not by ${fingerprint}.`)
  if (
    createHash('sha256')
      .update(canonicalJson(RawPlan.parse(bundle.data.record).plan))
      .digest('hex') !== record.plan_digest
  )
    return invalid('the plan does not have the digest that the record states.')
  const digest = createHash('sha256').update(canonicalJson(bundle.data.record)).digest('hex')
  for (const [i, statement] of statementsOf(record, digest).entries()) {
    const envelope = envelopes[i]
    const [signature] = envelope?.signatures ?? []
    const payload = envelope && decode(envelope.payload)
    const sig = signature && decode(signature.sig)
    if (!payload || !sig || signature?.keyid !== actual) return invalid(`signature ${i + 1} is malformed or of another key.`)
    if (payload.toString('utf8') !== canonicalJson(statement)) return invalid(`statement ${i + 1} is about another record.`)
    if (!isSigned(key, payload, sig)) return invalid(`signature ${i + 1} is wrong.`)
  }
  const { id, status } = record.decision
  if (fingerprint === null)
    return {
      outcome: 'unknown_signer',
      message: `Intact, signer unknown: decision ${id} (${status}), record ${digest}, key ${actual}. Compare the key with the signer’s and pass it with --key.`,
    }
  return { outcome: 'valid', message: `Valid: decision ${id} (${status}), record ${digest}, signed by ${actual}.` }
}

function isCanonical(parsed: unknown, text: string): boolean {
  try {
    return canonicalJson(parsed) === text
  } catch {
    // A lone surrogate, or nesting that no record has.
    return false
  }
}

/** Base64 in its one canonical form; null otherwise. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null
}

function isSigned(key: Buffer, payload: Buffer, signature: Buffer): boolean {
  try {
    const publicKey = createPublicKey({ key, format: 'der', type: 'spki' })
    return (
      publicKey.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.concat([Buffer.from(preAuthHead(payload.length)), payload]), publicKey, signature)
    )
  } catch {
    return false
  }
}

/** Checks a file, prints the outcome and returns it. @throws UsageError when the file cannot be read */
export function verifyFile(file: string, fingerprint: string | null): Verification['outcome'] {
  const { outcome, message } = verifyRecord(readNamedFile(file, { mostBytes: mostData }), fingerprint)
  if (outcome === 'invalid') complain(message)
  else print(message)
  return outcome
}
