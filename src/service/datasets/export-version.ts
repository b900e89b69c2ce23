import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { csvRow } from '../../lib/csv.ts'
import type { FileReply } from '../http/handler.ts'

export type VersionFormat = 'jsonl' | 'csv' | 'json'

const types = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** A version as a file, written while it is read. */
export function exportVersion(name: string, format: VersionFormat, batches: Iterable<readonly FrozenExample[]>): FileReply {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)
  return {
    contentType: types[format],
    fileName: `${words || 'dataset'}.${format}`,
    kind: 'stream',
    stream: Readable.from(pieces(format, batches)),
  }
}

async function* pieces(format: VersionFormat, batches: Iterable<readonly FrozenExample[]>): AsyncGenerator<string> {
  if (format === 'csv') yield csvRow(columns)
  if (format === 'json') yield '['
  let first = true
  for (const batch of batches) {
    if (format === 'csv') yield batch.map(example => csvRow(cells(example))).join('')
    else if (format === 'jsonl') yield batch.map(example => `${JSON.stringify(example)}\n`).join('')
    else yield (first ? '\n' : ',\n') + batch.map(example => JSON.stringify(example)).join(',\n')
    first = false
    await nextTurn()
  }
  if (format === 'json') yield '\n]\n'
}

const columns = [
  'example_id',
  'revision',
  'input',
  'output',
  'output_a',
  'output_b',
  'expected',
  'label',
  'label_state',
  'label_by',
  'metadata',
]

function cells({ output, ...example }: FrozenExample): (string | number | null)[] {
  const pair = typeof output === 'object' && output !== null ? output : null
  return [
    example.example_id,
    example.revision,
    text(example.input),
    typeof output === 'string' ? output : null,
    pair?.a ?? null,
    pair?.b ?? null,
    example.expected === null ? null : text(example.expected),
    example.label,
    example.label_state,
    example.label_by,
    JSON.stringify(example.metadata),
  ]
}

/** Text as it is, anything else as JSON. */
function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
