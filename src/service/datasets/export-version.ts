import { PassThrough, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidField } from '../../contract/errors.ts'
import type { FrozenExample } from '../../contract/datasets/dataset-versions.schemas.ts'
import { createZip } from '../../engine/archives/write-zip.ts'
import { digestsIn, partName } from '../../engine/importing/datasets/example-archive.ts'
import { addMedia } from '../../engine/reporting/exports/zip-media.ts'
import type { ReadMedia } from '../../engine/reporting/report/report-sample.ts'
import { csvRow } from '../../lib/csv.ts'
import type { FileReply } from '../http/handler.ts'
import type { Need } from '../../storage/reads/version-needs.ts'
import { choosePortion, type FactsOf, portionOf } from './archive-parts.ts'

type TextFormat = 'jsonl' | 'csv' | 'json'
export type VersionFormat = TextFormat | 'zip'

const types = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  zip: 'application/zip',
} as const

interface Exported {
  readonly name: string
  readonly format: VersionFormat
  /** Which archive of a version that makes several, from 1. */
  readonly part?: number | undefined
  /** Reads the examples from the first one. */
  readonly batches: () => Iterable<readonly FrozenExample[]>
  /** What it takes at most in an archive. */
  readonly needs: () => Iterable<Need>
  readonly readMedia: ReadMedia
  readonly factsOf: FactsOf
}

/** A version as a file, written while it is read. @throws ApiError for archives as `choosePortion` does */
export async function exportVersion(
  { name, format, part, batches, needs, readMedia, factsOf }: Exported,
  bounds?: Need,
): Promise<FileReply> {
  if (part !== undefined && format !== 'zip') throw invalidField(['query', 'part'], 'is for the format "zip" alone')
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60)
  return {
    contentType: types[format],
    fileName: `${words || 'dataset'}${part === undefined ? '' : `-part${part}`}.${format}`,
    kind: 'stream',
    stream:
      format === 'zip'
        ? zipped(portionOf(batches(), await choosePortion(batches(), needs(), factsOf, part, bounds)), readMedia)
        : Readable.from(pieces(format, batches())),
  }
}

/** Characters of a part, so that no part grows with the version. */
const partCharacters = 8 * 1024 * 1024

/** The examples as JSON Lines in parts, and the media files that they name: an import of a dataset takes the archive as it is. */
function zipped(batches: Iterable<readonly FrozenExample[]>, readMedia: ReadMedia): Readable {
  const out = new PassThrough()
  let proceed = (): void => undefined
  for (const event of ['drain', 'close']) out.on(event, () => proceed())
  const zip = createZip(async chunk => {
    if (out.destroyed) throw new Error('The download was ended.')
    if (!out.write(chunk)) await new Promise<void>(resolve => (proceed = resolve))
  })
  const write = async (): Promise<void> => {
    const digests = new Set<string>()
    let lines: string[] = []
    let characters = 0
    let parts = 0
    const flush = async (): Promise<void> => {
      if (lines.length > 0) await zip.add(partName(++parts), lines.join(''))
      lines = []
      characters = 0
    }
    for (const batch of batches) {
      for (const example of batch) {
        const line = `${JSON.stringify(example)}\n`
        for (const digest of digestsIn(line)) digests.add(digest)
        lines.push(line)
        characters += line.length
        if (characters >= partCharacters) await flush()
      }
      await nextTurn()
    }
    await flush()
    await addMedia(zip, digests, readMedia)
    await zip.end()
  }
  write().then(
    () => out.end(),
    (error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return out
}

async function* pieces(format: TextFormat, batches: Iterable<readonly FrozenExample[]>): AsyncGenerator<string> {
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
