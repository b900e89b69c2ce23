import { listSamples, type RunOfSamples, type SampleList, type SamplesQuery, walksSamples } from '../../storage/reads/sample-list.ts'
import type { Workers } from '../../workers/pool.ts'
import { written } from '../http/lasting-answers.ts'
import type { Kernel } from '../kernel.ts'
import { createReadCosts } from './read-costs.ts'
import { profilesOf } from './run-record.ts'
import type { RunRow } from './runs.store.ts'
import type { SearchIndexes } from './search-index.ts'

/**
 * Pages of a run's samples. What may look at all of them is a thread's work, from the places to the text; a walk along the run's order is
 * the loop's, unless a run is executed and the thread costs the loop less (decisions/0245).
 */
export function createSampleLists({ db, reads }: Pick<Kernel, 'db' | 'reads'>, workers: Pick<Workers, 'samples'>, indexes: SearchIndexes) {
  const costs = createReadCosts(reads.isYielding, reads.worked)

  /** As JSON, from a thread; null where this thread is to walk. */
  const fromThread = async (row: RunRow, run: RunOfSamples, query: SamplesQuery): Promise<string | null> => {
    // Who looks at samples may search them next, so the index is made by then, such as after a regrade.
    const index = indexes.fileOf(row)
    const ask = () => workers.samples({ kind: 'list', run, query, index })
    if (!walksSamples(run, query)) return await ask()
    // Whatever stops the thread, this one answers, with its own error if need be.
    return costs.areHigh(query.limit) ? await ask().catch(() => null) : null
  }
  const walk = (run: RunOfSamples, query: SamplesQuery): SampleList =>
    costs.measured(query.limit, () =>
      listSamples(db, run, query, () => {
        throw new Error('A walk finds its places itself.')
      }),
    )

  return {
    read: async (row: RunRow, query: SamplesQuery): Promise<SampleList> => {
      const run = runOf(row)
      const text = await fromThread(row, run, query)
      return text === null ? walk(run, query) : (JSON.parse(text) as SampleList) // the thread wrote it from one
    },
    /** For who sends it and reads none of it. */
    send: async (row: RunRow, query: SamplesQuery): Promise<SampleList> => {
      const run = runOf(row)
      const text = await fromThread(row, run, query)
      return text === null ? walk(run, query) : written<SampleList>(text)
    },
  }
}

function runOf(row: RunRow): RunOfSamples {
  const profiles = profilesOf(row).map(({ profile_id, metrics }) => ({
    profile_id,
    metrics: metrics.map(({ id, scorer, primary }) => ({ id, scorer, primary })),
  }))
  return { no: row.no, id: row.id, frozen: row.frozen, whole: row.part_of === null, profiles }
}
