import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { runMachine } from '../../src/contract/runs/run.machine.ts'
import { drawFrom } from '../../src/engine/tasks/draw.ts'
import { temporaryFolder } from '../support/service.ts'
import { type MeasuredService, startMeasuredService } from './processes.ts'

const built = fileURLToPath(new URL('../../out/main/headless.js', import.meta.url))
const source = fileURLToPath(new URL('../../src/headless/cli.ts', import.meta.url))
const pollMs = 200
/** What scoring.md promises for 100,000 outputs. */
const promisedSeconds = 60

const Begun = z.object({ id: z.string() })

/** Imports a table of tasks, then that many outputs as a run, and waits until the run is graded. */
export async function benchAnswers(count: number): Promise<void> {
  const draw = drawFrom(1)
  const right = Array.from({ length: count }, () => draw.int(1, 3) > 1)
  const tasks = right.map((_, i) =>
    JSON.stringify({ id: `t${i}`, input: `What is ${i} plus ${i}? Answer with a number.`, target: String(2 * i) }),
  )
  const outputs = right.map((is, i) =>
    JSON.stringify({
      task_id: `t${i}`,
      output: `We add ${i} to ${i}, which is twice the number.\nThe answer is ${is ? 2 * i : 2 * i + 1}.`,
    }),
  )
  // The last number of an answer in words.
  const profile = JSON.stringify({ metrics: [{ scorer: 'assay/numeric' }] })
  const folder = temporaryFolder()
  const program = existsSync(built) ? built : source
  const service = await startMeasuredService({ entry: program, dataDir: folder.path, profileDir: null, withUi: false })
  try {
    await send(service, '/v1/catalog/imports', { format: 'jsonl', name: 'Sums', profile }, tasks, async id => {
      const record = await service.client.call('getImport', { params: { import_id: id } })
      return isTerminal(importMachine, record.status) ? record.status : null
    })
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'sums' } })
    service.begin()
    const started = performance.now()
    let runId = ''
    const stored = await send(
      service,
      '/v1/runs/imports',
      { profile_id: profiles[0]?.id ?? '', model: 'brought', name: 'Brought' },
      outputs,
      async id => {
        const record = await service.client.call('getAnswerImport', { params: { answer_import_id: id } })
        runId = record.runs[0]?.run_id ?? ''
        return isTerminal(importMachine, record.status) ? record.status : null
      },
    )
    for (;;) {
      const run = await service.client.call('getRun', { params: { run_id: runId } })
      if (isTerminal(runMachine, run.status)) break
      await setTimeout(pollMs)
    }
    const seconds = (performance.now() - started) / 1000
    const { cpuMs, peakRss } = await service.end()
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: runId } })
    const expected = right.filter(Boolean).length / count
    const { mean = null } = metrics[0]?.estimate ?? {}
    console.log(`${program === source ? 'From source' : 'Built'}. Load average ${(loadavg()[0] ?? 0).toFixed(1)}. Import ${stored}.`)
    console.table([
      {
        outputs: count,
        'graded s': seconds.toFixed(1),
        'processor s': (cpuMs / 1000).toFixed(1),
        mean,
        expected,
        'peak MB': (peakRss / 2 ** 20).toFixed(0),
      },
    ])
    if (mean === null || Math.abs(mean - expected) > 1e-9) throw new Error(`The mean is ${mean} instead of ${expected}.`)
    const verdict = seconds < promisedSeconds ? 'within' : 'beyond'
    console.log(`${seconds.toFixed(1)} s are ${verdict} the promised ${promisedSeconds} s for 100,000 outputs.`)
  } finally {
    await service.stop()
    folder.remove()
  }
}

async function send(
  service: MeasuredService,
  path: string,
  fields: Readonly<Record<string, string>>,
  lines: readonly string[],
  ended: (id: string) => Promise<string | null>,
): Promise<string> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([lines.join('\n')]), 'lines.jsonl')
  const reply = await fetch(`${service.baseUrl}${path}`, { method: 'POST', body: form, headers: service.client.headers })
  if (reply.status !== 202) throw new Error(`The import was refused with ${reply.status}: ${await reply.text()}`)
  const { id } = Begun.parse(await reply.json())
  for (;;) {
    const status = await ended(id)
    if (status !== null) return status
    await setTimeout(pollMs)
  }
}
