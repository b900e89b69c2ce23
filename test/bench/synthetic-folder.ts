import { openDatabase } from '../../src/storage/database.ts'
import { startTestService } from '../support/service.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

/** Fills a new data folder with one finished run of so many tasks; answers the run's id. */
export async function fillFolder(dataDir: string, samples: number): Promise<string> {
  await using service = await startTestService({ dataDir })
  const db = openDatabase(`${dataDir}/assay.db`)
  const benchmark = insertBenchmark(db, {
    slug: 'synthetic',
    tasks: samples,
    preview: place => `Task ${place}`,
    capabilities: () => ['reading'],
    facets: place => ({ subject: `subject ${place % 40}` }),
  })
  const id = insertRun(db, benchmark, {
    workspaceId: service.workspaceId,
    model: 'model',
    metric: metric('exact', true),
    value: (_place, random) => (random() < 0.6 ? 1 : 0),
  })
  db.close()
  return id
}
