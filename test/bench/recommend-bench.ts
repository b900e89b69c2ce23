import { performance } from 'node:perf_hooks'
import { openDatabase } from '../../src/storage/database.ts'
import { startTestService } from '../support/service.ts'
import { insertBenchmark, insertRun, metric } from './synthetic-runs.ts'

const benchmarks = 10
const rounds = 7

const subjects = ['arithmetic', 'geography', 'chemistry', 'law', 'translation', 'history', 'biology', 'planning', 'dialogue', 'programming']
const vocabulary = Array.from({ length: 5000 }, (_, i) => `${subjects[i % subjects.length]?.slice(0, 3)}${i.toString(36)}`)

/** Words as language has them: a few everywhere, most of them rare (Zipf). */
function words(random: () => number): string {
  return Array.from({ length: 12 }, () => vocabulary[Math.min(vocabulary.length - 1, Math.floor(vocabulary.length ** random()) - 1)]).join(
    ' ',
  )
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
}

/**
 * How long a recommendation takes over many indexed tasks, over HTTP, thread and all.
 *
 * @param tasks in all benchmarks together
 */
export async function benchRecommendations(tasks: number): Promise<void> {
  const service = await startTestService()
  try {
    const db = openDatabase(`${service.dataDir}/assay.db`)
    db.pragma('synchronous = off')
    const started = performance.now()
    for (const subject of subjects.slice(0, benchmarks)) {
      const benchmark = insertBenchmark(db, {
        slug: `${subject}-exam`,
        tasks: Math.floor(tasks / benchmarks),
        preview: (_, random) => `Question about ${subject}: ${words(random)}`,
        capabilities: place => [subject, place % 4 === 0 ? 'reasoning' : 'recall'],
        facets: () => ({}),
      })
      const asked = { ...benchmark, tasks: Math.min(benchmark.tasks, 2000) }
      for (const rate of [0.4, 0.6, 0.8]) {
        insertRun(db, asked, {
          workspaceId: service.workspaceId,
          model: `model ${rate}`,
          metric: metric('exact', true),
          value: (_, random) => (random() < rate ? 1 : 0),
        })
      }
    }
    db.close()
    console.log(`Indexed ${tasks} tasks in ${((performance.now() - started) / 1000).toFixed(0)} s.`)
    const objectives = [
      'multi step arithmetic',
      `${vocabulary[3]} ${vocabulary[40]} questions`,
      `${vocabulary[700]} ${vocabulary[2500]} ${vocabulary[4000]}`,
      `question about ${vocabulary[0]} ${vocabulary[1]} ${vocabulary[2]} law chemistry reasoning ${vocabulary[1500]}`,
    ]
    const rows = []
    for (const objective of objectives) {
      const times: number[] = []
      const processor: number[] = []
      let chosen = 0
      for (let round = 0; round < rounds; round++) {
        const before = performance.now()
        const cpu = process.cpuUsage()
        const answer = await service.client.call('recommendTasks', { body: { objective, task_limit: 100, models: ['assay/echo'] } })
        const { user, system } = process.cpuUsage(cpu)
        times.push(performance.now() - before)
        processor.push((user + system) / 1000)
        chosen = answer.tasks
      }
      const [first = 0, ...later] = times
      rows.push({
        objective: objective.slice(0, 50),
        chosen,
        'first ms': Math.round(first),
        'median ms': median(later),
        'slowest ms': Math.round(Math.max(...later)),
        // What a busy machine does not stretch.
        'processor ms': median(processor),
      })
    }
    console.table(rows)
  } finally {
    await service.close()
  }
}
