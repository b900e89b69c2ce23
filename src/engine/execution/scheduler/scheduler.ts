import type { EndpointLimiter, LimiterView } from './endpoint-limiter.ts'
import { executeRun, type RunControl } from './execute-run.ts'
import { createLimiters, type Limiters } from './limiters.ts'
import type { EndpointLimits, RunEnd, RunPlan, RunView, SchedulerPorts, StopReason } from './ports.ts'

/** Baselines answer at once; the bound only keeps one turn of the event loop short. */
const baselineLimits: EndpointLimits = { maxConcurrency: 64, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'fail_fast' }

export interface Scheduler {
  /** Begins or takes up a run. The promise tells how its samples ended; it rejects when storing failed. The caller closes the model's client. */
  run(plan: RunPlan): Promise<RunEnd>
  /** Null when the run is not being carried out here. */
  control(runId: string): Pick<RunControl, 'cancel' | 'stop' | 'setConcurrency' | 'setCap' | 'setGate'> | null
  /** What the run is doing and how its endpoint is being used; null when it is not being carried out here. */
  view(runId: string): { readonly run: RunView; readonly endpoint: LimiterView } | null
  /** Ends what the run waits for at its endpoint: probes it at once where it is down, and asks before a pause is over. False when it is not carried out here. */
  resume(runId: string): boolean
  /** Stops all runs that use an endpoint. */
  stopEndpoint(name: string, reason: StopReason): void
  /** Leaves every run as it is stored. Resolves when no call is in flight. */
  close(): Promise<void>
}

interface Running {
  readonly control: RunControl
  readonly limiter: EndpointLimiter
  readonly endpoint: string
}

/** @param limiters of all endpoints; absent where only runs use them */
export function createScheduler(ports: SchedulerPorts, limiters: Limiters = createLimiters(ports)): Scheduler {
  const running = new Map<string, Running>()

  return {
    run: async plan => {
      const { runId, model } = plan
      if (running.has(runId)) throw new Error(`Run ${runId} is being carried out already.`)
      const endpoint = model.kind === 'endpoint' ? model.endpoint : `${model.kind}:${runId}`
      const { limits, client } = model.kind === 'endpoint' ? model : { limits: baselineLimits, client: null }
      const { limiter, leave } = limiters.join(endpoint, {
        limits,
        client,
        onChange: () => {
          running.get(runId)?.control.wake()
          ports.onEndpointChange(plan.runNo)
        },
      })
      const control = executeRun(plan, ports, limiter)
      running.set(runId, { control, limiter, endpoint })
      try {
        return await control.ended
      } finally {
        running.delete(runId)
        leave()
      }
    },
    control: runId => running.get(runId)?.control ?? null,
    view: runId => {
      const found = running.get(runId)
      return found ? { run: found.control.view(), endpoint: found.limiter.view() } : null
    },
    resume: runId => {
      const found = running.get(runId)
      if (!found) return false
      found.limiter.circuit.probeNow()
      found.limiter.skipPause()
      found.control.wake()
      return true
    },
    stopEndpoint: (name, reason) => {
      for (const { control, endpoint } of running.values()) if (endpoint === name) control.stop(reason)
    },
    close: async () => {
      limiters.beginClose()
      const controls = [...running.values()].map(({ control }) => control)
      for (const control of controls) control.suspend()
      await Promise.allSettled(controls.map(control => control.ended))
      limiters.close()
    },
  }
}
