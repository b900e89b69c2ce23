import type { z } from 'zod'
import { PackageManifest, PackageManifestFile } from '../../../contract/creator/manifest.schemas.ts'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { croissantPath } from './croissant/croissant-terms.ts'
import { type CroissantLayout, readCroissant } from './croissant/read-croissant.ts'
import { PackageFault } from './package-fault.ts'

export const manifestPath = 'assay.package.json'

/**
 * The manifest of a package, with splits and fields out of `croissant.json` where it leaves them to it.
 * @throws PackageFault
 */
export function readManifest(contents: ReadonlyMap<string, Buffer>): {
  readonly manifest: PackageManifest
  readonly croissant: CroissantLayout | null
} {
  const bytes = contents.get(manifestPath)
  if (!bytes) throw new PackageFault('manifest', `The archive has no "${manifestPath}" at its top level.`)
  const file = parsed(PackageManifestFile, parseJson(manifestPath, bytes))
  const described = contents.get(croissantPath)
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
  if (!described) return { manifest: parsed(PackageManifest, file), croissant: null }
  const { splits, fields, layout } = readCroissant(parseJson(croissantPath, described))
  return { manifest: parsed(PackageManifest, { ...file, splits, fields }), croissant: layout }
}

function parseJson(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new PackageFault('manifest', `"${path}" is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function parsed<T>(schema: z.ZodType<T>, json: unknown): T {
  const result = schema.safeParse(json)
  if (result.success) return result.data
  const { issues } = result.error
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new PackageFault('manifest', `"${manifestPath}": ${describeFirst(issues)}${more}.`)
}
