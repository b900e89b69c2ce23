import type { PackageManifest } from '../../../contract/creator/manifest.schemas.ts'
import { canonicalType, mediaTypeOf } from '../../media/inspect-media.ts'
import { RowError } from '../files/row.ts'
import type { MediaColumn } from '../media/media-columns.ts'
import { MediaIntake } from '../media/media-intake.ts'
import type { OpenedPackage } from './open-package.ts'

/** Takes the files that the tasks of a package show: its assets, or those in the rows themselves. Null for packages without columns of files. */
export function packageIntake({ manifest, read }: Pick<OpenedPackage, 'manifest' | 'read'>): MediaIntake | null {
  if (manifest.fields.media === undefined) return null
  const assets = new Map(manifest.assets.map(asset => [asset.path, asset]))
  const intake = new MediaIntake({
    find: named => {
      const asset = assets.get(named.replace(/^(?:\.\/)+/, ''))
      if (!asset) return null
      const bytes = read(asset.path)
      const type = mediaTypeOf(bytes)
      if (type !== null && type !== canonicalType(asset.media_type))
        throw new RowError(`The manifest says that "${asset.path}" is ${asset.media_type}, but its bytes are ${type}.`)
      return { path: asset.path, bytes }
    },
  })
  // The bytes are in memory with the package already, so that nothing is copied.
  intake.keep({ files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY })
  return intake
}

export function mediaColumns({ media = {} }: Pick<PackageManifest['fields'], 'media'>): readonly MediaColumn[] {
  return Object.entries(media).map(([field, column]) => ({ field, column }))
}
