import { secretRemover, withoutSecretValues } from '../../engine/clients/secrets/without-values.ts'
import { scrubSecrets } from '../../lib/scrub-secrets.ts'
import type { UploadPart } from './handler.ts'

/** Fields in which people type words of their own. Everything else is an identifier, a value or content that must stay exact. */
export const typedFields: ReadonlySet<string> = new Set([
  'name',
  'title',
  'note',
  'description',
  'objective',
  'goal',
  'annotator',
  'rationale',
  'folder',
  'comment',
  // Code that somebody pastes, often with its key.
  'snippet',
  'tool',
  'url',
  // Of a server, whose arguments may hold its key.
  'command',
  'commit',
  'ref',
])

/** Typed fields that often hold a secret which no feature stores, so that it is known by its form alone. */
const pastedFields: ReadonlySet<string> = new Set(['snippet'])

export type SecretSource = (workspaceId: string) => Promise<readonly string[]>

/** The secrets that features store, by value, so that they are recognized in what people type. */
export interface SecretValues {
  add(source: SecretSource): void
  of(workspaceIds: readonly string[]): Promise<readonly string[]>
}

export function createSecretValues(): SecretValues {
  const sources: SecretSource[] = []
  return {
    add: source => void sources.push(source),
    of: async workspaceIds => (await Promise.all(workspaceIds.flatMap(id => sources.map(source => source(id))))).flat(),
  }
}

/** The JSON body of a request without stored secrets in what was typed. The body itself where there is nothing to do. */
export async function scrubTyped(body: unknown, secrets: () => Promise<readonly string[]>): Promise<unknown> {
  const typed: string[] = []
  let isPasted = false
  eachTyped(body, (text, field) => {
    typed.push(text)
    isPasted ||= pastedFields.has(field)
  })
  if (typed.length === 0) return body
  const remove = secretRemover(typed, await secrets())
  if (!remove && !isPasted) return body
  return mapTyped(body, (text, field) => {
    const known = remove?.(text) ?? text
    return pastedFields.has(field) ? scrubSecrets(known) : known
  })
}

/** The same for the fields of a form. */
export async function* scrubParts(parts: AsyncIterable<UploadPart>, secrets: () => Promise<readonly string[]>): AsyncGenerator<UploadPart> {
  for await (const part of parts) {
    const isTyped = part.kind === 'field' && typedFields.has(part.name)
    yield isTyped ? { ...part, value: withoutSecretValues(part.value, await secrets()) } : part
  }
}

function eachTyped(value: unknown, visit: (text: string, field: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') eachTyped(item, visit)
    return
  }
  for (const [key, held] of Object.entries(value)) {
    if (typeof held === 'object') eachTyped(held, visit)
    else if (typeof held === 'string' && typedFields.has(key)) visit(held, key)
  }
}

function mapTyped(value: unknown, clean: (text: string, field: string) => string): unknown {
  if (Array.isArray(value)) return value.map(item => mapTyped(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [
      key,
      typedFields.has(key) && typeof held === 'string' ? clean(held, key) : mapTyped(held, clean),
    ]),
  )
}
