import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { z } from 'zod'

/** What a connection's calls need. */
const SharedSecret = z.strictObject({ api_key: z.string().nullable(), headers: z.record(z.string(), z.string()) })
export type SharedSecret = z.infer<typeof SharedSecret>

/** Who a sealed key is for and where it may be sent; it opens with exactly these. */
export interface SealPurpose {
  readonly workerId: string
  readonly connectionId: string
  readonly origin: string
}

const spki = { format: 'der', type: 'spki' } as const
const [spkiBytes, ivBytes, tagBytes] = [44, 12, 16]

/** A worker's own pair, in memory only. @param publicKey base64 */
export function createSealPair(): { readonly publicKey: string; open(sealed: string, purpose: SealPurpose): SharedSecret } {
  const pair = generateKeyPairSync('x25519', {
    publicKeyEncoding: spki,
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  })
  const privateKey = createPrivateKey({ key: pair.privateKey, format: 'der', type: 'pkcs8' })
  return {
    publicKey: pair.publicKey.toString('base64'),
    open: (sealed, purpose) => {
      const bytes = Buffer.from(sealed, 'base64')
      const sender = bytes.subarray(0, spkiBytes)
      const iv = bytes.subarray(spkiBytes, spkiBytes + ivBytes)
      const tag = bytes.subarray(spkiBytes + ivBytes, spkiBytes + ivBytes + tagBytes)
      const key = derive(privateKey, createPublicKey({ key: sender, ...spki }), [sender, pair.publicKey])
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
      decipher.setAAD(aad(purpose)).setAuthTag(tag)
      const plain = Buffer.concat([decipher.update(bytes.subarray(spkiBytes + ivBytes + tagBytes)), decipher.final()])
      return SharedSecret.parse(JSON.parse(plain.toString('utf8')))
    },
  }
}

/**
 * Seals a secret to a worker's public key with a pair of its own, as HPKE does.
 * @throws Error when the key is not one of X25519, or a point that would make the seal guessable
 */
export function sealKey(secret: SharedSecret, publicKey: string, purpose: SealPurpose): string {
  const receiver = Buffer.from(publicKey, 'base64')
  const key = createPublicKey({ key: receiver, ...spki })
  if (key.asymmetricKeyType !== 'x25519') throw new Error('The key is not one of X25519.')
  const own = generateKeyPairSync('x25519')
  const sender = own.publicKey.export(spki)
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', derive(own.privateKey, key, [sender, receiver]), iv, { authTagLength: tagBytes })
  cipher.setAAD(aad(purpose))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secret), 'utf8'), cipher.final()])
  return Buffer.concat([sender, iv, cipher.getAuthTag(), sealed]).toString('base64')
}

function derive(privateKey: KeyObject, publicKey: KeyObject, parties: readonly Buffer[]): Buffer {
  const shared = diffieHellman({ privateKey, publicKey })
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat(parties), 'assay worker key 1', 32))
}

function aad({ workerId, connectionId, origin }: SealPurpose): Buffer {
  return Buffer.from(JSON.stringify([workerId, connectionId, origin]))
}
