import { createEndpointLimiter, type EndpointLimiter, type LimiterView } from './endpoint-limiter.ts'
import { executeRun, type RunControl } from './execute-run.ts'
import type { EndpointLimits, RunEnd, RunPlan, SchedulerPorts } from './ports.ts'

/** Baselines answer at once; the bound only keeps one turn of the event loop short. */
const baselineLimits: EndpointLimits = { maxConcurrency: 64, requestsPerMinute: null }

export interface Scheduler {
  /** Begins or takes up a run. The promise tells how its samples ended; it rejects when storing failed. */
  run(plan: RunPlan): Promise<RunEnd>
  /** False when the run is not being carried out here. */
  cancel(runId: string): boolean
  /** How an endpoint is being used; null when nothing uses it. */
  endpoint(name: string): LimiterView | null
  /** Leaves every run as it is stored. Resolves when no call is in flight. */
  close(): Promise<void>
}

export function createScheduler(ports: SchedulerPorts): Scheduler {
  const controls = new Map<string, RunControl>()
  const limiters = new Map<string, EndpointLimiter>()
  const closed = new AbortController()
  const wakeLater = (ms: number, wake: () => void) => {
    void ports.sleep(ms, closed.signal).then(() => {
      if (!closed.signal.aborted) wake()
    })
  }
  const limiterOf = (plan: RunPlan) => {
    const name = plan.model.kind === 'baseline' ? `baseline:${plan.runId}` : plan.model.endpoint
    const limits = plan.model.kind === 'baseline' ? baselineLimits : plan.model.limits
    const limiter = limiters.get(name) ?? createEndpointLimiter(limits, ports.now, wakeLater)
    limiters.set(name, limiter)
    const leave = limiter.join()
    return {
      limiter,
      leave: () => {
        leave()
        if (limiter.view().users === 0) limiters.delete(name)
      },
    }
  }

  return {
    run: async plan => {
      if (controls.has(plan.runId)) throw new Error(`Run ${plan.runId} is being carried out already.`)
      const { limiter, leave } = limiterOf(plan)
      const control = executeRun(plan, ports, limiter)
      controls.set(plan.runId, control)
      try {
        return await control.ended
      } finally {
        controls.delete(plan.runId)
        leave()
        if (plan.model.kind === 'endpoint') await plan.model.client.close()
      }
    },
    cancel: runId => {
      const control = controls.get(runId)
      control?.cancel()
      return control !== undefined
    },
    endpoint: name => limiters.get(name)?.view() ?? null,
    close: async () => {
      const running = [...controls.values()]
      for (const control of running) control.suspend()
      await Promise.allSettled(running.map(control => control.ended))
      closed.abort()
    },
  }
}
