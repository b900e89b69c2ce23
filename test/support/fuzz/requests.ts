import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { isJson, type SchemaValues } from './schema-values.ts'

type Json = Readonly<Record<string, unknown>>

export interface FuzzRequest {
  readonly path: string
  readonly init: { method: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> }
}

/** Bodies that are no value of any schema. */
const brokenBodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  'null',
  '0',
  '"text"',
  '[]',
  '{"a":',
  '{"a":1,"a":2}',
  '{"a":1e400}',
  '{"a":-1e400,"b":1e-400}',
  '{"a":"\\ud800"}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  '{"__proto__":{"polluted":1}}',
  '\ufeff{}',
  '{}\0',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  '['.repeat(100_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `{"a":"${'x'.repeat(1_200_000)}"}`,
  `[${'0,'.repeat(200_000)}0]`,
  `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
]

/** A request to an operation, made from what the OpenAPI document says of it: right, at the bounds, wrong, or hostile. */
export function drawRequest(operation: Json, endpoint: Endpoint, values: SchemaValues): FuzzRequest {
  const parameters = (Array.isArray(operation['parameters']) ? operation['parameters'] : []).filter(isJson)
  const manner = values.pick(['valid', 'valid', 'spoilt', 'spoilt', 'hostile', 'broken'] as const)
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = parameters.find(p => p['in'] === 'path' && p['name'] === name)?.['schema']
    const part = encodePart(manner === 'hostile' ? values.naughty() : String(values.valid(schema, name)))
    // An address does not keep a part of dots: another operation would be asked.
    return /^\.{0,2}$/.test(part) ? '%20' : part
  })
  const query = parameters
    .filter(p => p['in'] === 'query')
    .flatMap(p => {
      if (p['required'] !== true && values.pick([true, false])) return []
      const name = String(p['name'])
      const value = manner === 'valid' || values.pick([true, false]) ? values.valid(p['schema'], name) : values.naughty()
      return [`${name}=${encodePart(String(value))}`]
    })
  if (manner === 'hostile')
    query.push(values.pick(['', '=', '&&', 'limit=1&limit=2', '__proto__=1', '%ff=%fe', 'a[b]=c', `${'q'.repeat(3000)}=1`]))
  const headers: Record<string, string> = {
    'idempotency-key': values.pick([randomUUID(), 'again', 'k'.repeat(255)]),
    ...(manner === 'hostile'
      ? {
          'x-request-id': 'not an id',
          accept: values.pick(['text/html', '*/*;q=x', '']),
          'accept-encoding': values.pick(['gzip', 'gzip;q=x, *']),
        }
      : {}),
  }
  const schema = bodySchema(operation)
  const init = { method: endpoint.method, headers }
  const target = query.length ? `${path}?${query.join('&')}` : path
  if (endpoint.kind === 'upload') {
    headers['content-type'] = 'multipart/form-data; boundary=fuzz'
    return { path: target, init: { ...init, body: drawForm(values) } }
  }
  if (endpoint.kind === 'raw') {
    headers['content-type'] = values.pick([...(endpoint.media ?? []), 'text/plain'])
    return {
      path: target,
      init: { ...init, body: values.pick([...brokenBodies, '{}', '{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}]}']) },
    }
  }
  if (schema === undefined) return { path: target, init }
  headers['content-type'] = 'application/json'
  if (manner === 'broken') return { path: target, init: { ...init, body: values.pick(brokenBodies) } }
  const right = values.valid(schema, '')
  const body = JSON.stringify(manner === 'valid' ? right : values.spoil(right, endpoint.maxBody ?? 2 ** 20))
  return { path: target, init: { ...init, body } }
}

function bodySchema(operation: Json): unknown {
  const content = isJson(operation['requestBody']) ? operation['requestBody']['content'] : undefined
  const json = isJson(content) ? content['application/json'] : undefined
  return isJson(json) ? json['schema'] : undefined
}

function drawForm(values: SchemaValues): string {
  const names = ['recipe', 'format', 'name', 'version', 'mapping', 'dry_run', 'file', 'unknown', '']
  const right: Readonly<Record<string, readonly string[]>> = {
    format: ['jsonl', 'csv', 'json'],
    recipe: ['gsm8k'],
    mapping: ['{"id":"id","input":"input","target":"target"}', '{"__proto__":1}', '['.repeat(5000)],
    dry_run: ['true', 'false'],
    file: ['{"id":"1","input":"2+2?","target":"4"}\n', 'id,input,target\n1,"2+2?",4\n', '{"id":', '\0\0\0', '"'.repeat(3000)],
  }
  const parts = Array.from({ length: values.pick([0, 1, 3, 5, 40]) }, () => {
    const name = values.pick(names)
    const value = values.pick([...(right[name] ?? ['x']), values.naughty()])
    const file = name === 'file' ? `; filename="${values.pick(['a.jsonl', '../../x.csv', 'ü\u202e.json', ''])}"` : ''
    return `--fuzz\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  })
  return `${parts.join('')}${values.pick(['--fuzz--\r\n', '--fuzz--\r\n', '--fuzz', ''])}`
}

/** As encodeURIComponent, also of halves of surrogate pairs; now and then text is left as it is where a URL can hold it. */
function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
