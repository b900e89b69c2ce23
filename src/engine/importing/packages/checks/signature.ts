import { createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { type OpenedPackage, signaturePath } from '../open-package.ts'
import { checkResult, type CheckResult } from '../package-task.ts'

const Envelope = z.object({
  payloadType: z.literal('application/vnd.in-toto+json'),
  payload: z.base64(),
  signatures: z
    .array(z.object({ keyid: z.string().optional(), sig: z.base64() }))
    .min(1)
    .max(20),
})
const Statement = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })),
})

/**
 * Verifies `signature.dsse.json`: a DSSE envelope with an in-toto statement over every other file, by the namespace's Ed25519 key.
 * @param publicKey SPKI PEM; null where the namespace has none
 */
export function checkSignature(
  opened: OpenedPackage,
  publicKey: string | null,
): { readonly result: CheckResult; readonly signature: 'none' | 'valid' | 'invalid' } {
  if (!opened.files.some(({ path }) => path === signaturePath))
    return { signature: 'none', result: checkResult('signature', 'not_applicable', 'The package is not signed.') }
  const fault = publicKey === null ? 'The package is signed, but its namespace has no public key.' : signatureFault(opened, publicKey)
  return fault === null
    ? {
        signature: 'valid',
        result: checkResult('signature', 'pass', 'The signature over every file is by the namespace’s key.', {
          files: opened.files.length - 1,
        }),
      }
    : { signature: 'invalid', result: checkResult('signature', 'fail', fault) }
}

function signatureFault(opened: OpenedPackage, publicKey: string): string | null {
  let envelope: z.infer<typeof Envelope>
  let statement: z.infer<typeof Statement>
  try {
    envelope = Envelope.parse(JSON.parse(opened.read(signaturePath).toString('utf8')))
    statement = Statement.parse(JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8')))
  } catch {
    return `"${signaturePath}" is no DSSE envelope with an in-toto statement (v1).`
  }
  const payload = Buffer.from(envelope.payload, 'base64')
  const signed = preAuthEncoding(envelope.payloadType, payload)
  const key = createPublicKey(publicKey)
  if (!envelope.signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, 'base64'))))
    return 'The signature is not by the key of the namespace.'
  const subjects = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]))
  for (const { path, sha256 } of opened.files) {
    if (path === signaturePath) continue
    if (subjects.get(path) !== sha256) return `"${path}" is not the file that was signed.`
    subjects.delete(path)
  }
  const [absent] = subjects.keys()
  return absent === undefined ? null : `The signature names "${absent}", which the package does not hold.`
}

/** What a DSSE signature is over. Source: github.com/secure-systems-lab/dsse, protocol.md. */
export function preAuthEncoding(type: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload])
}
