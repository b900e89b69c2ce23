import { createHash } from 'node:crypto'
import { z } from 'zod'
import { PackageManifest } from '../../../contract/index.ts'
import { ArchiveError } from '../../archives/archive.ts'
import { checkZipStrictly } from '../../archives/check-zip.ts'
import { openZip } from '../../archives/read-zip.ts'
import { canonicalJson } from '../../content/benchmarks/content-digest.ts'

export const manifestPath = 'assay.package.json'
export const signaturePath = 'signature.dsse.json'

export interface PackageFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A package in memory. Nothing of it is ever written to disk. */
export interface OpenedPackage {
  readonly manifest: PackageManifest
  /** Of the bytes as uploaded. */
  readonly sha256: string
  readonly bytes: number
  readonly files: readonly PackageFile[]
  /** Whether it was sent as JSON, and so has no asset files. */
  readonly isJson: boolean
  read(path: string): Buffer
}

/** The bytes are no package, and why. */
export class PackageFault extends Error {
  override readonly name = 'PackageFault'
  readonly check: 'archive' | 'manifest'

  constructor(check: PackageFault['check'], message: string) {
    super(message)
    this.check = check
  }
}

/** What a package sent as JSON is stored as. */
const JsonPackage = z.strictObject({
  manifest: z.record(z.string(), z.unknown()),
  tasks: z.strictObject({
    test: z.array(z.record(z.string(), z.unknown())),
    canonical: z.array(z.record(z.string(), z.unknown())).optional(),
  }),
  assets: z.array(z.strictObject({ path: z.string(), content_base64: z.string(), media_type: z.string() })),
})

/**
 * Opens a package: a zip archive, or the JSON that it was sent as.
 * @throws PackageFault
 */
export function openPackage(bytes: Buffer): OpenedPackage {
  const isJson = bytes[0] === 0x7b
  const contents = isJson ? jsonContents(bytes) : zipContents(bytes)
  const manifestBytes = contents.get(manifestPath)
  if (!manifestBytes) throw new PackageFault('manifest', `The archive has no "${manifestPath}" at its top level.`)
  return {
    manifest: readManifest(manifestBytes),
    sha256: sha256(bytes),
    bytes: bytes.length,
    files: [...contents].map(([path, content]) => ({ path, bytes: content.length, sha256: sha256(content) })),
    isJson,
    read: path => {
      const content = contents.get(path)
      if (!content) throw new RangeError(`The package has no file "${path}".`)
      return content
    },
  }
}

function zipContents(bytes: Buffer): Map<string, Buffer> {
  try {
    checkZipStrictly(bytes)
    const archive = openZip(bytes)
    return new Map(archive.names.map(name => [name, inert(name, archive.read(name))]))
  } catch (error) {
    if (error instanceof ArchiveError) throw new PackageFault('archive', error.message)
    throw error
  }
}

/** Refuses what begins like an archive, whatever it is called. */
function inert(name: string, content: Buffer): Buffer {
  const head = content.toString('latin1', 0, 6)
  const isArchive = ['PK\u0003\u0004', 'PK\u0005\u0006', '\u001f\u008b', '7z\u00bc\u00af', 'Rar!', 'BZh', '\u00fd7zXZ'].some(mark =>
    head.startsWith(mark),
  )
  if (isArchive || content.toString('latin1', 257, 262) === 'ustar')
    throw new ArchiveError(`"${name}" is an archive inside the archive. Unpack it first.`)
  return content
}

function jsonContents(bytes: Buffer): Map<string, Buffer> {
  const { manifest, tasks, assets } = JsonPackage.parse(JSON.parse(bytes.toString('utf8')))
  const test = jsonLines(tasks.test)
  const canonical = tasks.canonical && jsonLines(tasks.canonical)
  const files = assets.map(asset => ({ ...asset, content: Buffer.from(asset.content_base64, 'base64') }))
  const whole = {
    ...manifest,
    splits: {
      test: { file: 'tasks/test.jsonl', sha256: sha256(test) },
      ...(canonical ? { canonical: { file: 'tasks/canonical.jsonl', sha256: sha256(canonical) } } : {}),
    },
    assets: files.map(({ path, media_type, content }) => ({ path, media_type, sha256: sha256(content) })),
  }
  return new Map([
    [manifestPath, Buffer.from(JSON.stringify(whole))],
    ['tasks/test.jsonl', test],
    ...(canonical ? [['tasks/canonical.jsonl', canonical] as const] : []),
    ...files.map(({ path, content }) => [path, content] as const),
  ])
}

/** The bytes under which a package sent as JSON is stored: the same for whatever means the same. */
export function packageJson(sent: z.input<typeof JsonPackage>): Buffer {
  const { manifest, tasks, assets } = sent
  return Buffer.from(canonicalJson({ manifest, tasks, assets }))
}

function jsonLines(rows: readonly unknown[]): Buffer {
  return Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
}

function readManifest(bytes: Buffer): PackageManifest {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new PackageFault('manifest', `"${manifestPath}" is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = PackageManifest.safeParse(json)
  if (parsed.success) return parsed.data
  const [first, ...others] = parsed.error.issues
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  throw new PackageFault(
    'manifest',
    `"${manifestPath}": ${first?.path.join('.') || 'the whole'}: ${first?.message ?? 'is not valid'}${more}`,
  )
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
