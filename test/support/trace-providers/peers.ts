import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import type { ScriptedServer } from './scripted-server.ts'

const folder = new URL('../../../../shared/openapi/', import.meta.url)

/** A provider's own OpenAPI document, or null where it is not on this machine. */
function openApi(file: string): Record<string, unknown> | null {
  const path = new URL(file, folder)
  if (!existsSync(path)) return null
  const document: unknown = parse(readFileSync(path, 'utf8'), { maxAliasCount: -1 })
  return typeof document === 'object' && document !== null ? { ...document } : null
}

/** OpenAPI 3.0's `nullable` in the words of JSON Schema. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema)
  if (typeof value !== 'object' || value === null) return value
  const { nullable, ...rest } = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonSchema(inner)]))
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}

/** A part of a reply and the component schema that it must keep. */
export interface CheckedPart {
  readonly schema: string
  readonly value: unknown
}

/**
 * Checks each reply of a scripted server against the provider's document: what differs is collected. Null where the document is absent.
 * @param partsOf what to check of a reply; nothing for paths that the document does not know
 */
export function checkReplies(
  server: ScriptedServer,
  file: string,
  partsOf: (path: string, body: Readonly<Record<string, unknown>>, query: string) => readonly CheckedPart[],
): { readonly faults: string[]; checked: number } | null {
  const document = openApi(file)
  if (!document) return null
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'provider', components: toJsonSchema(document['components']) })
  const result = { faults: [] as string[], checked: 0 }
  server.onReply = ({ path, body: sent }, { body }) => {
    const received: unknown = JSON.parse(JSON.stringify(body))
    if (typeof received !== 'object' || received === null) return
    const { query } = sent
    for (const { schema, value } of partsOf(path, { ...received }, typeof query === 'string' ? query : '')) {
      result.checked += 1
      const validate = ajv.getSchema(`provider#/components/schemas/${schema}`)
      if (!validate) result.faults.push(`${path}: there is no schema ${schema}`)
      else if (!validate(value)) result.faults.push(`${path}: ${ajv.errorsText(validate.errors).slice(0, 300)}`)
    }
  }
  return result
}
