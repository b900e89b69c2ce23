import { z } from 'zod'
import { named, Timestamp } from '../primitives.ts'

/** Of namespaces and packages: lower-case words joined by single dashes. */
export const CreatorName = z
  .string()
  .min(3)
  .max(40)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower-case letters and digits in words joined by single dashes, beginning with a letter')
  .meta({ example: 'acme-research' })

export const NewNamespace = named('NewNamespace', {
  name: CreatorName.describe('Unique on this installation; names that differ only in similar letters or dashes count as equal.'),
  title: z.string().trim().min(1).max(200),
  description: z.string().max(2000).default(''),
  public_key: z
    .string()
    .max(2000)
    .optional()
    .describe('Ed25519 public key in SPKI PEM. Packages of the namespace can then be signed; the fingerprint is shown to reviewers.'),
})
export type NewNamespace = z.infer<typeof NewNamespace>

export const KeyConfirmation = named('KeyConfirmation', {
  key_fingerprint: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits')
    .describe('As the author told it over another channel; not copied from this service.'),
})
export type KeyConfirmation = z.infer<typeof KeyConfirmation>

export const Namespace = named('Namespace', {
  name: CreatorName,
  title: z.string(),
  description: z.string(),
  verification: z
    .enum(['none', 'key_registered', 'key_confirmed'])
    .describe('`key_confirmed`: an owner verified the fingerprint with the author over another channel.'),
  key_fingerprint: z.string().nullable().describe('SHA-256 of the public key’s DER bytes, in hexadecimal; null without a key.'),
  packages: z.int().min(0),
  created_at: Timestamp,
})
export type Namespace = z.infer<typeof Namespace>
