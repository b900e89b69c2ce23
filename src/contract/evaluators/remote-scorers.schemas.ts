import { z } from 'zod'
import { Name, named, Timestamp, Uuid } from '../primitives.ts'
import { remoteScorerMachine } from './remote-scorer.machine.ts'

const Url = z.url({ protocol: /^https?$/, error: 'must be an https address, or http on this machine' }).max(2000)
const TimeoutMs = z.int().min(1_000).max(120_000).describe('Timeout per attempt, in milliseconds.')
const MaxConcurrency = z.int().min(1).max(256)
const Headers = z
  .record(
    z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is not a header name'),
    z
      .string()
      .max(4000)
      .regex(/^[\t\x20-\x7e]*$/, 'must be printable ASCII'),
  )
  .refine(headers => Object.keys(headers).length <= 32, 'at most 32 headers')
  .describe('Sent with every request. Write-only: values are stored encrypted and never returned.')
const AllowPrivate = z.boolean().describe('Allows an address of a private network. Only an owner’s or admin’s session may set it.')

/**
 * What every request states. Revision 2 (November 2026) sends the task's id as `sample.id`, where revision 1, which stated none, sent the
 * sample's position, and adds `sample_id`, `epoch`, `messages`, the attempt, model and usage. Evaluator versions made before are asked by
 * the current revision too.
 */
export const remoteScorerProtocol = { name: 'scorer/1', revision: 2 } as const

export const NewRemoteScorer = named('NewRemoteScorer', {
  name: Name,
  url: Url,
  description: z.string().max(5000).default(''),
  timeout_ms: TimeoutMs.default(30_000),
  max_concurrency: MaxConcurrency.default(8),
  headers: Headers.default({}),
  allow_private: AllowPrivate.default(false),
})

export const RemoteScorerUpdate = z
  .strictObject({
    name: Name.optional(),
    url: Url.optional().describe('Changing the origin clears the stored headers unless new ones are given.'),
    description: z.string().max(5000).optional(),
    timeout_ms: TimeoutMs.optional(),
    max_concurrency: MaxConcurrency.optional(),
    headers: Headers.optional().describe('Replaces all of them.'),
    allow_private: AllowPrivate.optional(),
    status: z.literal('active').optional().describe('Enables a disabled scorer.'),
  })
  .refine(body => Object.keys(body).length > 0, 'nothing to change: give at least one field')
  .meta({ id: 'RemoteScorerUpdate' })

export const RemoteScorerTest = named('RemoteScorerTest', {
  at: Timestamp,
  ok: z.boolean(),
  code: z.string().nullable(),
  message: z.string(),
  latency_ms: z.number().nullable(),
  scorers: z.array(z.strictObject({ name: z.string(), version: z.string() })),
})

export const RemoteScorer = named('RemoteScorer', {
  id: Uuid,
  name: Name,
  url: z.string(),
  description: z.string(),
  status: z.enum(remoteScorerMachine.states),
  disabled_reason: z.string().nullable(),
  timeout_ms: z.int(),
  max_concurrency: z.int(),
  header_names: z.array(z.string()),
  allow_private: z.boolean(),
  old_secret_until: Timestamp.nullable().describe('Until then the previous secret also signs.'),
  last_test: RemoteScorerTest.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The only response that contains the secret. */
export const RemoteScorerWithSecret = named('RemoteScorerWithSecret', {
  ...RemoteScorer.shape,
  signing_secret: z.string().describe('Shown once. Verifies the signatures of Standard Webhooks 1.0.'),
})

export type NewRemoteScorer = z.infer<typeof NewRemoteScorer>
export type RemoteScorer = z.infer<typeof RemoteScorer>
export type RemoteScorerTest = z.infer<typeof RemoteScorerTest>
export type RemoteScorerUpdate = z.infer<typeof RemoteScorerUpdate>
export type RemoteScorerWithSecret = z.infer<typeof RemoteScorerWithSecret>
