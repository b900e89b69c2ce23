import { mulberry32, type Random } from '../../src/engine/statistics/random.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { startTestService } from '../support/service.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

/** Words that texts are made of, the n-th about n times rarer than the first. */
const vocabulary = 9000

/** About so many characters by a Zipf law: `word7` is in most texts, `word8990` in few. */
function textOf(random: Random, characters: number): string {
  const words: string[] = []
  for (let length = 0; length < characters; length += words.at(-1)?.length ?? 1) words.push(`word${Math.floor(vocabulary ** random())}`)
  return words.join(' ')
}

/**
 * Fills a new data folder with one finished run of so many tasks; answers the run's id.
 * @param withTexts a question of 250 and a text of 700 characters for each, as searches find them
 */
export async function fillFolder(dataDir: string, samples: number, withTexts = false): Promise<string> {
  await using service = await startTestService({ dataDir })
  const db = openDatabase(`${dataDir}/assay.db`)
  const random = mulberry32(7)
  const benchmark = insertBenchmark(db, {
    slug: 'synthetic',
    tasks: samples,
    preview: place => `Task ${place}`,
    capabilities: () => ['reading'],
    facets: place => ({ subject: `subject ${place % 40}` }),
    ...(withTexts ? { question: () => textOf(random, 250) } : {}),
  })
  const id = insertRun(db, benchmark, {
    workspaceId: service.workspaceId,
    model: 'model',
    metric: metric('exact', true),
    value: (_place, next) => (next() < 0.6 ? 1 : 0),
    ...(withTexts ? { explanation: place => `${textOf(random, 700)} place${place}` } : {}),
  })
  db.close()
  return id
}
