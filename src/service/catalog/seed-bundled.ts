import { bundledBenchmarks } from '../../engine/content/benchmarks/bundled-benchmarks.ts'
import { contentDigest } from '../../engine/content/benchmarks/content-digest.ts'
import { type BundledBenchmark, facetNames } from '../../engine/tasks/definition.ts'
import { environmentFamilies } from '../../engine/execution/environments/families/families.ts'
import { hasSqlite } from '../../engine/execution/environments/families/text-to-sql/database.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { addTasks, beginVersion, finishVersion, hasBundledVersion } from './versions.store.ts'

/** A step for each benchmark and environment that ships with Assay and is not in the database yet. */
export function missingBenchmarks(kernel: Pick<Kernel, 'db' | 'clock' | 'log'>): (() => void)[] {
  // Environments are kept like benchmarks, so that their tasks are listed, selected, quoted and run in the same way.
  const families = environmentFamilies.filter(family => family.definition.slug !== 'text-to-sql' || hasSqlite())
  if (families.length < environmentFamilies.length)
    kernel.log.warn('the text-to-SQL environment is left out: this build of Node lacks node:sqlite')
  return [...bundledBenchmarks(), ...families]
    .filter(({ definition, version }) => !hasBundledVersion(kernel.db, definition.slug, version))
    .map(benchmark => () => seedBundled(kernel, benchmark))
}

/** Puts a bundled benchmark's version into the database, whole or not at all: once per version, at the first start that knows it. */
function seedBundled({ db, clock }: Pick<Kernel, 'db' | 'clock'>, benchmark: BundledBenchmark): void {
  const { definition } = benchmark
  const content = benchmark.content()
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
