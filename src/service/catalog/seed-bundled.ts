import { createHash } from 'node:crypto'
import type { BundledBenchmark } from '../../engine/benchmarks/definition.ts'
import type { Task } from '../../engine/tasks/task.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { addTasks, beginVersion, finishVersion } from './versions.store.ts'

/** SHA-256 over the tasks in order: equal digests mean equal content. */
export function contentDigest(tasks: readonly Task[]): string {
  const hash = createHash('sha256')
  for (const task of tasks) hash.update(`${JSON.stringify(task)}\n`)
  return hash.digest('hex')
}

/** Puts a bundled benchmark's version into the database unless it is there: once per version, at the first start that knows it. */
export function seedBundled({ db, clock }: Kernel, { definition, version, generate }: BundledBenchmark & { readonly version: string }): void {
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
  const content = generate()
  const facets = [...new Set(definition.profiles.flatMap(profile => profile.breakdowns))]
  db.transaction(() => {
    const no = beginVersion(db, {
      workspaceId: null,
      origin: 'bundled',
      definition,
      content,
      digest: contentDigest(content.tasks),
      taskCount: content.tasks.length,
      files: [],
      createdAt: timestamp(clock),
    })
    addTasks(db, no, content.tasks, 0, facets)
    finishVersion(db, no)
  })
}
