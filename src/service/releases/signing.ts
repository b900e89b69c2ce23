import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { ApiError } from '../../contract/errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { bundleType, payloadType, preAuthHead, type StatedRecord, statementsOf } from '../../lib/release-statements.ts'
import type { SecretPlace } from '../host.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { findSigningKey, insertSigningKey, type StoredKey, type StoredRecord } from './records.store.ts'

/** The workspace's Ed25519 key, made when it is first needed. @throws ApiError unavailable where no secret can be stored */
export async function signingKey({ db, clock, host }: Pick<Kernel, 'db' | 'clock' | 'host'>, workspaceId: string): Promise<StoredKey> {
  const known = findSigningKey(db, workspaceId)
  if (known) return known
  const reason = await host.secrets.unavailableReason()
  if (reason) throw new ApiError('unavailable', `The signing key cannot be stored safely on this machine: ${reason}`)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const secret = await host.secrets.encrypt(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), placeOf(workspaceId))
  insertSigningKey(
    db,
    workspaceId,
    { publicKey: spki.toString('base64'), fingerprint: createHash('sha256').update(spki).digest('hex'), secret },
    timestamp(clock),
  )
  // Of two requests that made one, the first one's counts.
  return findSigningKey(db, workspaceId) ?? signingKey({ db, clock, host }, workspaceId)
}

function placeOf(workspaceId: string): SecretPlace {
  return { workspaceId, table: 'release_keys', rowId: workspaceId, origin: null }
}

/** The record with its two statements in DSSE envelopes, as canonical JSON. Ed25519 is deterministic: the same bytes each time. */
export async function signRecord(
  kernel: Pick<Kernel, 'db' | 'clock' | 'host'>,
  workspaceId: string,
  { document, digest }: StoredRecord,
): Promise<string> {
  // Canonical text that `makeRecord` wrote.
  const record = JSON.parse(document) as StatedRecord
  const key = await signingKey(kernel, workspaceId)
  const pem = await kernel.host.secrets.decrypt(key.secret, placeOf(workspaceId)).catch(() => {
    throw new ApiError(
      'unavailable',
      'The signing key of the workspace cannot be decrypted: it was stored on another machine or for another workspace. Restore a backup of this machine, or bring back its key.',
    )
  })
  const privateKey = createPrivateKey(pem)
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  if (spki !== key.publicKey) throw new Error('The signing key of the workspace does not match its public key.')
  const envelopes = statementsOf(record, digest).map(statement => {
    const payload = Buffer.from(canonicalJson(statement))
    return {
      payload: payload.toString('base64'),
      payloadType,
      signatures: [
        {
          keyid: key.fingerprint,
          sig: sign(null, Buffer.concat([Buffer.from(preAuthHead(payload.length)), payload]), privateKey).toString('base64'),
        },
      ],
    }
  })
  return canonicalJson({ _type: bundleType, envelopes, public_key: key.publicKey, record })
}
