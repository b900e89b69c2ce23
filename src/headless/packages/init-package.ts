import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreatorName } from '../../contract/creator/namespaces.schemas.ts'
import { packageTemplate } from '../../contract/creator/package-template.ts'
import { manifestPath } from '../../engine/importing/packages/read-manifest.ts'
import { UsageError } from '../exit-codes.ts'

const tasksPath = 'tasks.jsonl'
/** Of the tasks file until it is packed: `assay package pack` and `check` fill in the digests. */
const noDigest = '0'.repeat(64)

/**
 * Writes a manifest and a few tasks that pass every check. Answers the files.
 * @throws UsageError where one exists, which is left as it is
 */
export function initPackage(folder: string, { namespace, name }: { readonly namespace: string; readonly name: string }): string[] {
  for (const [option, value] of Object.entries({ namespace, name })) {
    const parsed = CreatorName.safeParse(value)
    if (!parsed.success) throw new UsageError(`--${option} "${value}" ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`)
  }
  const { manifest, tasks } = packageTemplate({ namespace, name })
  const withSplits = { ...manifest, splits: { test: { file: tasksPath, sha256: noDigest } } }
  const files = [
    [join(folder, manifestPath), `${JSON.stringify(withSplits, null, 2)}\n`],
    [join(folder, tasksPath), tasks.test.map(task => `${JSON.stringify(task)}\n`).join('')],
  ] as const
  mkdirSync(folder, { recursive: true })
  for (const [path, text] of files) {
    try {
      writeFileSync(path, text, { flag: 'wx' })
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
        throw new UsageError(`${path} exists and was left as it is. Name another folder: assay package init FOLDER`)
      throw error
    }
  }
  return files.map(([path]) => path)
}
