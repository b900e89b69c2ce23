import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CreatorName } from '../../contract/creator/namespaces.schemas.ts'
import { packageTemplate } from '../../contract/creator/package-template.ts'
import { manifestPath } from '../../engine/importing/packages/read-manifest.ts'
import { packagedWorld } from '../../engine/importing/packages/package-world.ts'
import { UsageError } from '../exit-codes.ts'
import { makeFolder } from '../make-folder.ts'
import { readWorldFolder, writeWorldFolder } from '../worlds/world-folder.ts'

const tasksPath = 'tasks.jsonl'
/** Of the tasks file until it is packed: `assay package pack` and `check` fill in the digests. */
const noDigest = '0'.repeat(64)

/**
 * Writes a manifest and a few tasks that pass every check, or the environment of a folder. Answers the files.
 * @throws UsageError where one exists, which is left as it is
 */
export function initPackage(
  folder: string,
  { namespace, name, world }: { readonly namespace: string; readonly name: string; readonly world?: string | undefined },
): string[] {
  for (const [option, value] of Object.entries({ namespace, name })) {
    const parsed = CreatorName.safeParse(value)
    if (!parsed.success) throw new UsageError(`--${option} "${value}" ${parsed.error.issues[0]?.message ?? 'cannot be used'}.`)
  }
  const { manifest, tasks } = packageTemplate({ namespace, name })
  if (world !== undefined) return initWorld(folder, manifest, world)
  const withSplits = { ...manifest, splits: { test: { file: tasksPath, sha256: noDigest } } }
  const files = [
    [join(folder, manifestPath), `${JSON.stringify(withSplits, null, 2)}\n`],
    [join(folder, tasksPath), tasks.test.map(task => `${JSON.stringify(task)}\n`).join('')],
  ] as const
  return written(folder, files)
}

/** A package of an environment, whose folder is copied. */
function initWorld(folder: string, template: ReturnType<typeof packageTemplate>['manifest'], from: string): string[] {
  const world = readWorldFolder(from)
  const { fields: _f, profiles: _p, ...manifest } = template
  const paths = writeWorldFolder(join(folder, packagedWorld), world)
  const files = paths.map(path => ({ file: relative(folder, path).replaceAll('\\', '/'), sha256: noDigest }))
  const whole = {
    ...manifest,
    title: world.title,
    summary: world.description.slice(0, 2_000) || manifest.summary,
    capabilities: ['tool use'],
    // Without it, an upload to the workspace that has the environment would count as a copy.
    derived_from: [`eval://local/${world.slug}`],
    world: { files },
  }
  return [...written(folder, [[join(folder, manifestPath), `${JSON.stringify(whole, null, 2)}\n`]]), ...paths]
}

/** @throws UsageError where one exists, which is left as it is */
function written(folder: string, files: readonly (readonly [path: string, text: string])[]): string[] {
  makeFolder(folder)
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
