import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { MetricPlan } from '../../src/engine/execution/scheduler/ports.ts'
import { scoringBatch } from '../../src/engine/execution/scheduler/grading.ts'
import type { Score, ScoreInput } from '../../src/engine/grading/scorers/scorer.ts'
import { familiesToScore, type ScorerFamily } from './scorer-inputs.ts'

/**
 * How many outputs a second the text scorers grade in batches on two threads, as a run grades them. Beside the time that passed it tells
 * the processor time of the whole process, because a machine that is busy with other things stretches only the first.
 */
const threads = 2

export async function benchScorers(outputs: number, only: string | null): Promise<void> {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('../../src/workers/score.worker.ts', import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  })
  console.log(`${outputs} outputs of each family, in batches of ${scoringBatch}, on ${threads} threads\n`)
  console.log(
    `${'scorer'.padEnd(26)}${'outputs'.padEnd(34)}${'characters'.padStart(10)}${'s'.padStart(8)}${'outputs/s'.padStart(11)}${'cpu s'.padStart(8)}${'outputs per 2 cpu s'.padStart(21)}`,
  )
  let slowest = Number.POSITIVE_INFINITY
  try {
    for (const family of familiesToScore()) {
      if (only !== null && !family.scorer.includes(only)) continue
      slowest = Math.min(slowest, await measure(pool, family, outputs))
    }
  } finally {
    await pool.destroy()
  }
  console.log(`\nThe slowest: ${Math.round(slowest).toLocaleString('en')} outputs per 2 cpu seconds.`)
}

async function measure(pool: Piscina, { scorer, options, from, inputs }: ScorerFamily, outputs: number): Promise<number> {
  const metrics: MetricPlan[] = [{ id: 'm', scorer, options, primary: true }]
  const batches = Array.from({ length: Math.ceil(outputs / scoringBatch) }, (_, batch) =>
    Array.from({ length: scoringBatch }, (_, i): ScoreInput => {
      const input = inputs[(batch * scoringBatch + i) % inputs.length]
      if (!input) throw new Error(`There is nothing to score for ${scorer}.`)
      return input
    }),
  )
  // The first batches compile the code; a run has that behind it after a second.
  await Promise.all(batches.slice(0, 2 * threads).map(batch => pool.run({ metrics, inputs: batch })))
  const cpuBefore = process.cpuUsage()
  const started = performance.now()
  let unscored = 0
  // As in a run: a batch for each thread and one that waits.
  const queue = batches.values()
  await Promise.all(
    Array.from({ length: threads + 1 }, async () => {
      for (const batch of queue) {
        const rows = (await pool.run({ metrics, inputs: batch })) as Score[][]
        unscored += rows.filter(([score]) => score?.value === null).length
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const cpu = (user + system) / 1_000_000
  const graded = batches.length * scoringBatch
  if (unscored > graded / 2) throw new Error(`${scorer} gave no verdict on most of its outputs.`)
  const characters = inputs.reduce((sum, { output }) => sum + output.length, 0) / inputs.length
  const rate = (threads * graded) / cpu
  console.log(
    `${scorer.padEnd(26)}${from.padEnd(34)}${characters.toFixed(0).padStart(10)}${seconds.toFixed(2).padStart(8)}${(graded / seconds).toFixed(0).padStart(11)}${cpu.toFixed(2).padStart(8)}${rate.toFixed(0).padStart(21)}`,
  )
  return rate
}
