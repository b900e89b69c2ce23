import { useOutletContext } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { RunEvents } from '../api/live-events.ts'

/** What the frame of a run gives to the page inside it. */
export interface RunContext {
  readonly run: Run
  readonly events: RunEvents
}

export function useRunContext(): RunContext {
  return useOutletContext<RunContext>()
}
