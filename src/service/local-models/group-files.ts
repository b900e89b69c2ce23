import { basename, dirname, join } from 'node:path'
import type { LocalModels, LocalModelSettings, MemoryFit, ModelLocation } from '../../contract/local-models/local-models.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import type { GgufFacts } from '../../workers/gguf-header.ts'
import type { StoredFile } from './local-models.store.ts'

export interface ReadFile extends StoredFile {
  readonly location: ModelLocation
  readonly givenName: string | null
}

/** A model of one file or several. */
export interface FileModel {
  /** The first file's. */
  readonly path: string
  readonly name: string
  readonly location: ModelLocation
  readonly facts: GgufFacts
  readonly files: readonly ReadFile[]
  readonly bytes: number
  /** Why it cannot be used; null where it can. */
  readonly problem: string | null
}

type Other = LocalModels['others'][number]

/** Files that a model is split into. */
export const mostParts = 300
const partName = /^(?<prefix>.*)-(?<no>\d{5})-of-(?<count>\d{5})\.gguf$/i

/** Files as models: parts of a split model are one, and other files are apart. */
export function groupFiles(files: readonly ReadFile[]): { readonly models: FileModel[]; readonly others: Other[] } {
  const models: FileModel[] = []
  const others: Other[] = []
  const byPath = new Map(files.map(file => [file.path, file]))
  for (const file of files) {
    const { header, path } = file
    const named = partName.exec(basename(path))?.groups
    const count = Number(named?.['count'])
    const part = named && Number(named['no']) >= 1 && Number(named['no']) <= count && count <= mostParts ? named : undefined
    if (part && Number(part['no']) > 1 && byPath.has(join(dirname(path), partOf(part, 1)))) continue
    if (!header.ok) {
      others.push({ path, kind: 'unreadable', reason: header.reason })
      continue
    }
    const { facts } = header
    const apart = apartReasons[facts.kind as keyof typeof apartReasons]
    if (facts.kind !== 'model') {
      others.push({ path, kind: facts.kind, reason: apart })
      continue
    }
    models.push(part ? splitModel(file, facts, part, byPath) : oneFile(file, facts))
  }
  return { models: models.sort((a, b) => (a.name < b.name ? -1 : 1)), others }
}

const apartReasons = {
  projector: 'It is the part of a model that reads pictures. Choose the model beside it.',
  adapter: 'It is a LoRA adapter. Merge it into its model first.',
  vocabulary: 'It holds a vocabulary and no weights.',
  embedding: 'It turns text into vectors and writes none.',
} as const

function oneFile(file: ReadFile, facts: GgufFacts): FileModel {
  const { path, location, bytes, givenName } = file
  return { path, location, facts, files: [file], bytes, name: givenName ?? basename(path).replace(/\.gguf$/i, ''), problem: cutOff(facts) }
}

function splitModel(first: ReadFile, facts: GgufFacts, part: Record<string, string>, byPath: ReadonlyMap<string, ReadFile>): FileModel {
  const count = Number(part['count'])
  const names = Array.from({ length: count }, (_, i) => partOf(part, i + 1))
  const files = names.flatMap(name => byPath.get(join(dirname(first.path), name)) ?? [])
  const missing = names.filter(name => !byPath.has(join(dirname(first.path), name)))
  const parameters = files.reduce((sum, { header }) => sum + (header.ok ? (header.facts.parameters ?? 0) : 0), 0)
  const damaged = files.flatMap(({ path, header }) => (header.ok ? (header.facts.missingBytes > 0 ? [path] : []) : [path]))
  return {
    path: first.path,
    location: first.location,
    files,
    facts: { ...facts, parameters },
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    name: part['prefix'] ?? basename(first.path),
    problem:
      missing.length > 0
        ? `${missing.length === 1 ? 'A part is' : `${missing.length} parts are`} missing: ${missing.slice(0, 3).join(', ')}. Download ${missing.length === 1 ? 'it' : 'them'} into the same folder.`
        : damaged[0] !== undefined
          ? `${basename(damaged[0])} is cut off or damaged. Download it again.`
          : null,
  }
}

function partOf(part: Record<string, string>, no: number): string {
  return `${part['prefix']}-${String(no).padStart(5, '0')}-of-${part['count']}.gguf`
}

function cutOff({ missingBytes }: GgufFacts): string | null {
  return missingBytes > 0 ? `The file is cut off: ${formatBytes(missingBytes)} are missing at its end. Download it again.` : null
}

/** What the process needs beside weights and cache, measured with small models. */
const besideBytes = 200_000_000
const bytesPerValue = { f32: 4, f16: 2 } as const

/**
 * Whether a model fits in memory: its weights, and keys and values of every layer for the whole context of each of the requests that are
 * computed together.
 */
export function fitOf(
  { facts, bytes }: Pick<FileModel, 'facts' | 'bytes'>,
  { context_tokens: contextTokens, parallel, cache_type }: Pick<LocalModelSettings, 'context_tokens' | 'parallel' | 'cache_type'>,
  memory: { readonly freeBytes: number; readonly totalBytes: number },
): MemoryFit {
  const tokens = Math.min(contextTokens, facts.contextTokens ?? contextTokens)
  const cache = 2 * bytesPerValue[cache_type] * (facts.layers ?? 0) * (facts.keyValueWidth ?? 0) * tokens * parallel
  const needed = Math.min(Number.MAX_SAFE_INTEGER, Math.round(bytes + cache + besideBytes))
  const status = needed <= memory.freeBytes ? 'yes' : needed <= memory.totalBytes ? 'slow' : 'no'
  return { status, needed_bytes: needed, free_bytes: memory.freeBytes, context_tokens: tokens }
}
