import type { EndpointLimiter, LimiterView } from './endpoint-limiter.ts'
import { executeRun, type RunControl } from './execute-run.ts'
import { type EndpointWait, waiterName } from './endpoint-waits.ts'
import { createLimiters, type EndpointUser, type Limiters } from './limiters.ts'
import { describeGivingUp } from './retry-policy.ts'
import type { Refusal } from './throttle-pause.ts'
import type { EndpointLimits, RunEnd, RunPlan, RunView, SchedulerPorts, StopReason } from './ports.ts'

/** Baselines answer at once; the bound only keeps one turn of the event loop short. */
const baselineLimits: EndpointLimits = { maxConcurrency: 64, requestsPerMinute: null, tokensPerMinute: null, onThrottle: 'fail_fast' }

export interface SchedulerView {
  readonly run: RunView
  readonly endpoint: LimiterView
  /** Milliseconds until the run gives up waiting for an endpoint that takes no calls; null while it takes them. */
  readonly givesUpInMs: number | null
  /** Judges and remote scorers that it calls. */
  readonly graders: readonly EndpointWait[]
}

export interface Scheduler {
  /** Begins or takes up a run. The promise tells how its samples ended; it rejects when storing failed. The caller closes the model's client. */
  run(plan: RunPlan): Promise<RunEnd>
  /** Null when the run is not executed here. */
  control(runId: string): Pick<RunControl, 'cancel' | 'stop' | 'setConcurrency' | 'setCap' | 'setGate' | 'setPaused'> | null
  /** What the run is doing and how its endpoint is being used; null when it is not executed here. */
  view(runId: string): SchedulerView | null
  /** Ends the waits of the run, a pause by a person and those at its model, judges and scorers: probes an endpoint that is down, and calls before a pause ends. False when the run is not executed here. */
  resume(runId: string): boolean
  /** Stops all runs that use an endpoint. */
  stopEndpoint(name: string, reason: StopReason): void
  /** Begins no further calls. Resolves once those in flight have ended and their answers are durable, at the latest after `ms`. */
  drain(ms: number): Promise<void>
  /** Leaves every run as it is stored. Resolves when no call is in flight. */
  close(): Promise<void>
}

interface Running {
  readonly control: RunControl
  readonly user: EndpointUser
  readonly limiter: EndpointLimiter
  readonly endpoint: string
}

/** @param limiters of all endpoints; absent where only runs use them */
export function createScheduler(ports: SchedulerPorts, limiters: Limiters = createLimiters(ports)): Scheduler {
  const running = new Map<string, Running>()

  return {
    run: async plan => {
      const { runId, model } = plan
      if (running.has(runId)) throw new Error(`Run ${runId} is being executed already.`)
      const endpoint = model.kind === 'endpoint' ? model.endpoint : `${model.kind}:${runId}`
      const { limits, client } = model.kind === 'endpoint' ? model : { limits: baselineLimits, client: null }
      const patienceMs = plan.execution.throttle_patience_ms
      const user: EndpointUser = {
        limits,
        client,
        patienceMs,
        gaveUp: refusal => running.get(runId)?.control.stop(stopFor(refusal, patienceMs)),
        onChange: () => {
          running.get(runId)?.control.wake()
          ports.onEndpointChange(plan.runNo)
        },
      }
      const { limiter, leave } = limiters.join(endpoint, user)
      const control = executeRun(plan, ports, limiter)
      running.set(runId, { control, user, limiter, endpoint })
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
      if (!found) return null
      return {
        run: found.control.view(),
        endpoint: found.limiter.view(),
        givesUpInMs: found.limiter.givesUpInMs(found.user),
        graders: limiters.waits.of(waiterName({ kind: 'run', id: runId })),
      }
    },
    resume: runId => {
      const found = running.get(runId)
      if (!found) return false
      found.limiter.circuit.probeNow()
      found.limiter.skipPause()
      limiters.waits.skip(waiterName({ kind: 'run', id: runId }))
      found.control.setPaused(false)
      return true
    },
    stopEndpoint: (name, reason) => {
      for (const { control, endpoint } of running.values()) if (endpoint === name) control.stop(reason)
    },
    drain: async ms => {
      const over = new AbortController()
      const drained = Promise.all([...running.values()].map(({ control }) => control.drain()))
      await Promise.race([drained, ports.sleep(ms, over.signal)])
      over.abort()
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

function stopFor(refusal: Refusal, patienceMs: number): StopReason {
  return { code: refusal.code, message: `${refusal.message} ${describeGivingUp(refusal, patienceMs)} Retry the missing samples later.` }
}
