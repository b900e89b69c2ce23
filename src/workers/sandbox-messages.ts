import { z } from 'zod'
import type { LockedProgram } from '../engine/grading/sandbox/locked-program.ts'

/** What the process of a sandboxed interpreter is told. */
export type ToSandbox = { readonly kind: 'begin'; readonly program: LockedProgram } | { readonly kind: 'input'; readonly text: string }

/** What it tells. Model-written code runs in that process, so that none of it is believed before it is parsed. */
export const FromSandbox = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('output'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('complaint'), text: z.string() }),
  z.object({ kind: z.literal('ended'), detail: z.string(), by: z.enum(['code', 'outside']), code: z.number().nullable() }),
])
export type FromSandbox = z.infer<typeof FromSandbox>

/** The code thread asks for processes that only the main thread can start; each message names the process that it is about. */
export type ToBroker = { readonly id: string } & (ToSandbox | { readonly kind: 'kill' })
export type FromBroker = { readonly id: string } & FromSandbox
