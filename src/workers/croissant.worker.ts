import type { BenchmarkDetail } from '../contract/catalog/benchmarks.schemas.ts'
import { croissantPath } from '../engine/importing/packages/croissant/croissant-terms.ts'
import { asVersion11, packageRecordSets } from '../engine/importing/packages/croissant/describe-package.ts'
import { type OpenedPackage, openPackage } from '../engine/importing/packages/open-package.ts'
import { type PackageContent, renderCroissant } from '../engine/reporting/exports/benchmark-croissant.ts'
import { readPackageOfVersion } from '../storage/reads/creator-package.ts'
import { readTaskSplits } from '../storage/reads/task-splits.ts'
import { openReader } from './database-path.ts'
import { type ExportDone, writeExportFile } from './export-file.ts'

export interface CroissantTask {
  readonly versionNo: number
  readonly benchmark: BenchmarkDetail
  /** Of the benchmark's versions. */
  readonly version: string
  /** Where the finished file is to be. */
  readonly path: string
}

function contentOf({ manifest, files, world }: OpenedPackage): PackageContent {
  const { splits, assets, creators } = manifest
  const played = manifest.world?.files.map(({ file }) => file) ?? []
  const described = new Set([splits.test.file, splits.canonical?.file, ...played, ...assets.map(({ path }) => path)])
  return { creators, files: files.filter(({ path }) => described.has(path)), recordSets: world ? [] : packageRecordSets(manifest) }
}

/** Writes the Croissant description of one benchmark version; of one made from a package with a description, that description. */
export default async function writeCroissant({ versionNo, benchmark, version, path }: CroissantTask): Promise<ExportDone> {
  const db = openReader()
  try {
    const stored = readPackageOfVersion(db, versionNo)
    const opened = stored && openPackage(stored)
    if (opened?.croissant) {
      const own = asVersion11(JSON.parse(opened.read(croissantPath).toString('utf8')))
      return await writeExportFile(path, write => write(`${JSON.stringify(own, null, 2)}\n`))
    }
    const tasks = readTaskSplits(db, versionNo)
    return await writeExportFile(path, write => renderCroissant(benchmark, version, tasks, opened && contentOf(opened), write))
  } finally {
    db.close()
  }
}
