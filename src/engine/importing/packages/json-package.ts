import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { mendJson } from '../../../lib/mend-json.ts'
import { canonicalJson } from '../../content/benchmarks/content-digest.ts'
import { PackageFault } from './package-fault.ts'
import { manifestPath } from './read-manifest.ts'
import { sha256 } from './sha256.ts'

const Rows = z.array(z.record(z.string(), z.unknown()))

/** What a package sent as JSON is stored as. */
const JsonPackage = z.strictObject({
  manifest: z.record(z.string(), z.unknown()),
  tasks: z.strictObject({ test: Rows, canonical: Rows.optional() }),
  assets: z.array(z.strictObject({ path: z.string(), content_base64: z.base64(), media_type: z.string() })).default([]),
})

/**
 * The files that a package sent as JSON stands for, with a manifest that has their digests.
 * @throws PackageFault
 */
export function jsonContents(bytes: Buffer): (readonly [path: string, content: Buffer])[] {
  const { manifest, tasks, assets } = parseSent(bytes)
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
  return [
    [manifestPath, Buffer.from(JSON.stringify(whole))],
    ['tasks/test.jsonl', test],
    ...(canonical ? [['tasks/canonical.jsonl', canonical] as const] : []),
    ...files.map(({ path, content }) => [path, content] as const),
  ]
}

/** The bytes under which a package sent as JSON is stored: the same for whatever means the same. */
export function packageJson(sent: z.input<typeof JsonPackage>): Buffer {
  const { manifest, tasks, assets } = sent
  return Buffer.from(canonicalJson({ manifest, tasks, assets }))
}

function parseSent(bytes: Buffer): z.infer<typeof JsonPackage> {
  if (!isUtf8(bytes)) throw new PackageFault('archive', 'Send a zip archive, or a package as JSON in UTF-8: this is neither.')
  const text = bytes.toString()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new PackageFault('archive', `Send a zip archive, or a package as JSON. ${mendJson(text)}`)
  }
  const parsed = JsonPackage.safeParse(json)
  if (parsed.success) return parsed.data
  throw new PackageFault(
    'archive',
    `The file is JSON but no package with "manifest", "tasks" and "assets": ${describeFirst(parsed.error.issues)}.`,
  )
}

function jsonLines(rows: readonly unknown[]): Buffer {
  return Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
}
