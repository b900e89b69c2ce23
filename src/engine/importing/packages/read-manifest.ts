import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { PackageManifest, PackageManifestFile } from '../../../contract/creator/manifest.schemas.ts'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { mendJson } from '../../../lib/mend-json.ts'
import { croissantPath } from './croissant/croissant-terms.ts'
import type { NewWorld } from '../../../contract/worlds/worlds.schemas.ts'
import { type CroissantLayout, readCroissant } from './croissant/read-croissant.ts'
import { PackageFault } from './package-fault.ts'
import { readWorld, worldParts } from './package-world.ts'

export const manifestPath = 'assay.package.json'

/**
 * The manifest of a package, with splits and fields out of `croissant.json`, or all of it out of its world, where it leaves them to it.
 * @throws PackageFault
 */
export function readManifest(contents: ReadonlyMap<string, Buffer>): {
  readonly manifest: PackageManifest
  readonly croissant: CroissantLayout | null
  /** Null where the package asks questions. */
  readonly world: NewWorld | null
} {
  const bytes = contents.get(manifestPath)
  if (!bytes) throw new PackageFault('manifest', `The archive has no "${manifestPath}" at its top level.`)
  const file = parsed(PackageManifestFile, parseJson(manifestPath, bytes))
  const described = contents.get(croissantPath)
  if (file.world) {
    if (described)
      throw new PackageFault('manifest', `"${manifestPath}" has a "world", which "${croissantPath}" cannot describe. Remove the latter.`)
    const world = readWorld(contents)
    return { manifest: parsed(PackageManifest, { ...file, ...worldParts(world, contents) }), croissant: null, world }
  }
  if (file.splits !== undefined && described)
    throw new PackageFault(
      'manifest',
      `"${manifestPath}" has "splits" and "fields", and "${croissantPath}" describes them too. Keep one of the two.`,
    )
  if (file.splits === undefined && !described)
    throw new PackageFault(
      'manifest',
      `"${manifestPath}" has no "splits" and "fields", and there is no "${croissantPath}" to describe them.`,
    )
  if (!described) return { manifest: parsed(PackageManifest, file), croissant: null, world: null }
  const { splits, fields, layout } = readCroissant(parseJson(croissantPath, described))
  return { manifest: parsed(PackageManifest, { ...file, splits, fields }), croissant: layout, world: null }
}

function parseJson(path: string, bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new PackageFault('manifest', `"${path}": Save it as UTF-8.`)
  const text = bytes.toString()
  try {
    return JSON.parse(text)
  } catch {
    throw new PackageFault('manifest', `"${path}": ${mendJson(text)}`)
  }
}

function parsed<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const { issues } = result.error
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new PackageFault('manifest', `"${manifestPath}": ${describeFirst(issues)}${more}.`)
}
