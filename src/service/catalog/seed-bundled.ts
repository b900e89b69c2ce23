import { contentDigest } from '../../engine/benchmarks/content-digest.ts'
import { type BundledBenchmark, facetNames } from '../../engine/benchmarks/definition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { addTasks, beginVersion, finishVersion } from './versions.store.ts'

/** Puts a bundled benchmark's version into the database unless it is there: once per version, at the first start that knows it. */
export function seedBundled({ db, clock }: Kernel, benchmark: BundledBenchmark): void {
  const { definition, version } = benchmark
  const known = db.first(
    db.sql
      .selectFrom('benchmark_versions')
      .innerJoin('benchmarks', 'benchmarks.no', 'benchmark_versions.benchmark_no')
      .select('benchmark_versions.no')
      .where('benchmarks.workspace_id', 'is', null)
      .where('benchmarks.slug', '=', definition.slug)
      .where('benchmark_versions.version', '=', version)
      .where('benchmark_versions.state', '=', 'ready'),
  )
  if (known) return
  const content = benchmark.generate()
  db.transaction(() => {
    const no = beginVersion(db, {
      workspaceId: null,
      origin: 'bundled',
      definition,
      content,
      digest: contentDigest(content.tasks, content.shots),
      taskCount: content.tasks.length,
      files: [],
      createdAt: timestamp(clock),
    })
    addTasks(db, no, content.tasks, 0, facetNames(definition))
    finishVersion(db, no)
  })
}
