import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { isTerminal } from '../../contract/machine.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import { allPages } from './all-pages.ts'
import type { ServiceClient } from './service-client.ts'
import type { Session } from './session.ts'

type Plan = Pick<Quote, 'model' | 'profiles' | 'coverage' | 'execution'>

/** The newest run that has not ended and does exactly what the quote says; null where there is none. */
export async function findRunning(client: ServiceClient, quote: Plan): Promise<Run | null> {
  const wanted = planOf(quote)
  for (const status of runMachine.states) {
    if (isTerminal(runMachine, status)) continue
    for await (const run of allPages(query => client.call('listRuns', { query: { ...query, status } })))
      if (run.part_of === null && planOf(run) === wanted) return run
  }
  return null
}

const planOf = ({ model, profiles, coverage, execution }: Plan): string => canonicalJson({ model, profiles, coverage, execution })

/** Whether to attach to a run that is under way: as asked for, or as the person at the terminal says. */
export async function attaches({ out }: Session, { id, progress }: Run, resume: boolean): Promise<boolean> {
  const found = `Run ${id} does the same and has scored ${progress.scored} of ${progress.frozen} samples.`
  if (resume) {
    out.note(`Attached: ${found}`)
    return true
  }
  if (process.stdin.isTTY && process.stderr.isTTY && !out.json) return confirm(`${found} Attach to it?`, process.stdin, process.stderr)
  out.note(`${found} A new run was submitted beside it; --resume attaches to it instead.`)
  return false
}

/** Yes unless the answer begins with n. */
export async function confirm(question: string, input: Readable, output: Writable): Promise<boolean> {
  const lines = createInterface({ input, output })
  try {
    return !/^n/i.test((await lines.question(`${question} [Y/n] `)).trim())
  } finally {
    lines.close()
  }
}
