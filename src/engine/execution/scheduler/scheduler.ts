import { createCircuitBreaker } from './circuit-breaker.ts'
import { createEndpointLimiter, type EndpointLimiter, type LimiterView } from './endpoint-limiter.ts'
import { executeRun, type RunControl } from './execute-run.ts'
import type { ModelClient } from '../../clients/model-client.ts'
import type { EndpointLimits, RunEnd, RunPlan, RunView, SchedulerPorts, StopReason } from './ports.ts'

/** Baselines answer at once; the bound only keeps one turn of the event loop short. */
const baselineLimits: EndpointLimits = { maxConcurrency: 64, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'fail_fast' }

export interface Scheduler {
  /** Begins or takes up a run. The promise tells how its samples ended; it rejects when storing failed. */
  run(plan: RunPlan): Promise<RunEnd>
  /** Null when the run is not being carried out here. */
  control(runId: string): Pick<RunControl, 'cancel' | 'setConcurrency' | 'setCap'> | null
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
  readonly runNo: number
}

export function createScheduler(ports: SchedulerPorts): Scheduler {
  const running = new Map<string, Running>()
  const limiters = new Map<string, EndpointLimiter>()
  const closed = new AbortController()
  let isClosing = false
  const wakeLater = (ms: number, wake: () => void) => {
    void ports.sleep(ms, closed.signal).then(() => {
      if (!closed.signal.aborted) wake()
    })
  }
  const isUsing = (name: string) => [...running.values()].filter(({ endpoint }) => endpoint === name)
  const createLimiter = (name: string, limits: EndpointLimits): EndpointLimiter => {
    let saved = ports.outages.find(name)
    const circuit = createCircuitBreaker({
      opens: limits.onThrottle !== 'fail_fast',
      outage: saved,
      now: ports.now,
      random: ports.random,
      later: wakeLater,
      onChange: () => {
        const outage = circuit.view()
        if (outage?.since !== saved?.since || outage?.message !== saved?.message) ports.outages.save(name, outage)
        saved = outage
        if (!outage) limiter.pump()
        for (const { control, runNo } of isUsing(name)) {
          control.wake()
          ports.onEndpointChange(runNo)
        }
      },
    })
    const limiter = createEndpointLimiter(limits, ports.monotonic, wakeLater, circuit)
    return limiter
  }
  const limiterOf = (name: string, { limits, client }: { readonly limits: EndpointLimits; readonly client: ModelClient | null }) => {
    const limiter = limiters.get(name) ?? createLimiter(name, limits)
    limiters.set(name, limiter)
    const leave = [limiter.join(), limiter.circuit.join(async signal => (client ? client.probe({ signal }) : null))]
    return {
      limiter,
      leave: () => {
        for (const end of leave) end()
        if (limiter.view().users > 0) return
        limiters.delete(name)
        // Of no use to a later run: it finds out by itself.
        if (!isClosing && limiter.circuit.isOpen()) ports.outages.save(name, null)
      },
    }
  }

  return {
    run: async plan => {
      const { runId, model } = plan
      if (running.has(runId)) throw new Error(`Run ${runId} is being carried out already.`)
      const endpoint = model.kind === 'baseline' ? `baseline:${runId}` : model.endpoint
      const { limiter, leave } = limiterOf(endpoint, model.kind === 'baseline' ? { limits: baselineLimits, client: null } : model)
      const control = executeRun(plan, ports, limiter)
      running.set(runId, { control, limiter, endpoint, runNo: plan.runNo })
      try {
        return await control.ended
      } finally {
        running.delete(runId)
        leave()
        if (model.kind === 'endpoint') await model.client.close()
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
      for (const { control } of isUsing(name)) control.stop(reason)
    },
    close: async () => {
      isClosing = true
      const controls = [...running.values()].map(({ control }) => control)
      for (const control of controls) control.suspend()
      await Promise.allSettled(controls.map(control => control.ended))
      closed.abort()
    },
  }
}
