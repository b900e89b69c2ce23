import type { SampleStatus } from '../../contract/runs/run.machine.ts'
import { type SampleEvent, sampleMachine } from '../../contract/runs/sample.machine.ts'
import type { Statements } from './execution-statements.store.ts'

/** What one commit changes of the run as a whole. */
export interface Sums {
  readonly moved: Map<SampleStatus, number>
  charged: bigint
  billed: bigint
  retries: number
  cached: number
}

export function noSums(): Sums {
  return { moved: new Map(), charged: 0n, billed: 0n, retries: 0, cached: 0 }
}

/** So many samples went from one status to another. */
export function move({ moved }: Sums, from: SampleStatus, to: SampleStatus, n = 1): void {
  moved.set(from, (moved.get(from) ?? 0) - n)
  moved.set(to, (moved.get(to) ?? 0) + n)
}

/** So many samples made a step that begins in one state. */
export function moveBy(sums: Sums, event: SampleEvent, n = 1): void {
  const { from, to } = sampleMachine.events[event]
  const [before] = from
  if (before === undefined || from.length > 1) throw new Error(`A sample can "${event}" from several states: say which it was.`)
  move(sums, before, to, n)
}

/** In the transaction of what it sums up. */
export function writeSums(statements: Statements, runNo: number, sums: Sums): void {
  for (const [status, n] of sums.moved) {
    if (n !== 0 && statements.count.run(n, runNo, status).changes === 0) statements.firstCount.run(n, runNo, status)
  }
  if (sums.charged > 0n || sums.billed > 0n || sums.retries !== 0 || sums.cached > 0)
    statements.addUp.run(sums.charged, sums.billed, sums.retries, sums.cached, runNo)
}
