import type { Run, RunPart } from '../../contract/runs/runs.schemas.ts'

type Times = Pick<RunPart, 'started_at' | 'finished_at'>

/** Milliseconds that a run and its retries worked; the time between them is not counted. Null until the run has ended. */
export function runningTime({ started_at, finished_at, parts }: Times & Pick<Run, 'parts'>): number | null {
  const own = spanOf({ started_at, finished_at })
  return own === null ? null : parts.reduce((sum, part) => sum + (spanOf(part) ?? 0), own)
}

function spanOf({ started_at: started, finished_at: finished }: Times): number | null {
  return started === null || finished === null ? null : Date.parse(finished) - Date.parse(started)
}
