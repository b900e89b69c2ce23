type Json = Record<string, unknown>

/** Values by format of JSON Schema; the same everywhere, so that ids in one example agree. */
const byFormat: Readonly<Record<string, string>> = {
  uuid: '01934f00-0000-7000-8000-000000000001',
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
  uri: 'https://models.example/v1',
  email: 'ada@example.org',
}

/** Levels below which optional members and items are left out: schemas may contain themselves, and a reader has seen enough. */
const deepest = 6

/**
 * A reply as its JSON Schema (draft 2020-12) describes it. Nothing is made up beyond the schema: stated examples first, then constants,
 * the first of several values or shapes, formats and bounds.
 * @param definitions what `#/components/schemas/…` refers to
 */
export function exampleOf(schema: Json, definitions: Readonly<Record<string, Json>>, depth = 0): unknown {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const found = definitions[reference.slice(reference.lastIndexOf('/') + 1)]
    return found ? exampleOf(found, definitions, depth + 1) : null
  }
  if ('example' in schema) return schema['example']
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  if ('default' in schema) return schema['default']
  const shapes = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(shapes)) {
    const list = shapes as Json[] // as JSON Schema has them
    const isNullable = list.some(({ type }) => type === 'null')
    const first = list.find(({ type }) => type !== 'null')
    return first && !(isNullable && depth >= deepest) ? exampleOf(first, definitions, depth) : null
  }
  const parts = schema['allOf']
  if (Array.isArray(parts)) {
    const members = (parts as Json[]).map(part => exampleOf(part, definitions, depth)) // likewise
    return members.length === 1 ? members[0] : Object.assign({}, ...members)
  }
  switch (schema['type']) {
    case 'object':
      return exampleObject(schema, definitions, depth)
    case 'array':
      return depth < deepest || Number(schema['minItems'] ?? 0) > 0 ? exampleItems(schema, definitions, depth) : []
    case 'integer':
    case 'number':
      return exampleNumber(schema)
    case 'boolean':
      return true
    case 'string':
      return byFormat[String(schema['format'])] ?? 'text'.padEnd(Number(schema['minLength'] ?? 0), ' text')
    default:
      return null
  }
}

function exampleObject(schema: Json, definitions: Readonly<Record<string, Json>>, depth: number): Json {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as string[]) : []) // as JSON Schema has it
  const members = Object.entries((schema['properties'] ?? {}) as Record<string, Json>) // likewise
  return Object.fromEntries(
    members.flatMap(([name, member]) => (required.has(name) ? [[name, exampleOf(member, definitions, depth + 1)] as const] : [])),
  )
}

function exampleItems(schema: Json, definitions: Readonly<Record<string, Json>>, depth: number): unknown[] {
  const fixed = schema['prefixItems']
  if (Array.isArray(fixed)) return (fixed as Json[]).map(item => exampleOf(item, definitions, depth + 1)) // as JSON Schema has them
  const { items } = schema
  return typeof items === 'object' && items !== null ? [exampleOf({ ...items }, definitions, depth + 1)] : []
}

function exampleNumber({ minimum, exclusiveMinimum, maximum }: Json): number {
  const least = typeof minimum === 'number' ? minimum : typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 1
  const most = typeof maximum === 'number' ? maximum : Number.MAX_SAFE_INTEGER
  return Math.min(most, Math.max(1, least))
}
