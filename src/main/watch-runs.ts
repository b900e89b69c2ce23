import { isTerminal } from '../contract/machine.ts'
import { runMachine } from '../contract/runs/run.machine.ts'
import type { Run } from '../contract/runs/runs.schemas.ts'

/** What the desktop shows of all runs that work. */
export interface Work {
  readonly runs: number
  /** 0 to 1; null while nothing works. */
  readonly share: number | null
  /** Every one of them waits for something. */
  readonly paused: boolean
}

/** What a person should know who is looking elsewhere. */
export interface RunNews {
  readonly runId: string
  readonly title: string
  readonly body: string
}

export interface RunWatchPorts {
  /** Runs that are queued, running or being cancelled. */
  readonly unfinished: () => Promise<readonly Run[]>
  readonly run: (id: string) => Promise<Run>
  readonly show: (work: Work) => void
  readonly tell: (news: RunNews) => void
}

/** Milliseconds between looks while something works, and while nothing does. */
const busyMs = 2_000
const idleMs = 10_000

const endings: Partial<Readonly<Record<Run['status'], string>>> = {
  complete: 'Run complete',
  partial: 'Run ended with unscored samples',
  failed: 'Run failed',
}

/**
 * Makes the look: each one shows the present progress, and reports runs that ended or came to need a person since the one before.
 * Resolves to the milliseconds until the next; a look that fails, as when the service closes, shows nothing new.
 */
export function createRunWatch({ unfinished, run, show, tell }: RunWatchPorts): () => Promise<number> {
  let known = new Map<string, Run>()
  return async () => {
    const now = new Map((await unfinished()).map(one => [one.id, one] as const))
    show(workOf([...now.values()]))
    for (const [id, one] of now) {
      const before = known.get(id)
      if (one.pause?.code === 'internal_error' && before?.pause?.code !== 'internal_error') tell(needsPerson(one, one.pause.message))
      else if (one.pause?.code === 'endpoint_down' && before && before.pause === null) tell(needsPerson(one, one.pause.message))
    }
    const gone = [...known.keys()].filter(id => !now.has(id))
    known = now
    for (const id of gone) {
      const ended = await run(id)
      const title = endings[ended.status]
      // A part is told with the run that it belongs to; who cancels a run knows.
      if (title === undefined || ended.part_of !== null || !isTerminal(runMachine, ended.status)) continue
      tell({ runId: id, title, body: `${ended.name}: ${ended.progress.scored} of ${ended.progress.frozen} samples scored` })
    }
    return now.size > 0 ? busyMs : idleMs
  }
}

function workOf(runs: readonly Run[]): Work {
  const sum = (of: (run: Run) => number): number => runs.reduce((total, run) => total + of(run), 0)
  const frozen = sum(run => run.progress.frozen)
  return {
    runs: runs.length,
    share: runs.length === 0 ? null : frozen === 0 ? 0 : sum(run => run.progress.completed) / frozen,
    paused: runs.length > 0 && runs.every(run => run.pause !== null),
  }
}

function needsPerson({ id, name }: Run, message: string): RunNews {
  return { runId: id, title: 'Run paused', body: `${name}: ${message}` }
}
