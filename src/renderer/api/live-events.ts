import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useEffect, useState } from 'react'
import { buildWireRequest, readError } from '../../contract/client.ts'
import { RunEvent } from '../../contract/runs/runs.schemas.ts'
import { send } from './client.ts'
import { endpointOf } from './endpoints.ts'

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

export interface RunEvents {
  readonly progress: EventOf<'progress'> | null
  readonly scores: readonly EventOf<'scores'>[]
  readonly end: EventOf<'end'> | null
  /** `polling`: the stream cannot be kept open just now, so read the run every few seconds instead. */
  readonly connection: 'connecting' | 'live' | 'polling' | 'ended'
}

const nothing: RunEvents = { progress: null, scores: [], end: null, connection: 'connecting' }
/** A score curve longer than this says nothing more; older points are thinned out. */
const MAX_SCORES = 600
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/**
 * Follows a run. Reconnects with growing pauses; while `connection` is `polling`, refetch the run at an interval.
 *
 * @param runId null follows nothing, e.g. because the run has ended.
 */
export function useRunEvents(runId: string | null): RunEvents {
  const [followed, setFollowed] = useState({ runId, events: nothing })
  useEffect(() => {
    if (!runId) return
    const stop = new AbortController()
    void follow(runId, stop.signal, change =>
      setFollowed(before => ({ runId, events: change(before.runId === runId ? before.events : nothing) })),
    )
    return () => stop.abort()
  }, [runId])
  return followed.runId === runId ? followed.events : nothing
}

type Change = (before: RunEvents) => RunEvents

async function follow(runId: string, signal: AbortSignal, emit: (change: Change) => void): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      for await (const event of readRunEvents(runId, signal)) {
        pause = FIRST_PAUSE_MS
        emit(before => addEvent(before, event))
        if (event.type === 'end') return
      }
    } catch (error) {
      if (signal.aborted) return
      console.warn(`The event stream of run ${runId} broke off`, error)
    }
    emit(before => ({ ...before, connection: 'polling' }))
    await sleep(pause, signal)
  }
}

/** Events of one connection, parsed; ends when the service closes the stream. */
async function* readRunEvents(runId: string, signal: AbortSignal): AsyncGenerator<RunEvent> {
  const wire = buildWireRequest(await endpointOf('streamRunEvents'), { params: { run_id: runId } })
  const reply = await send(wire.url, { headers: { accept: 'text/event-stream' }, signal })
  if (!reply.ok || !reply.body) throw readError({ status: reply.status, text: await reply.text() })
  const reader = reply.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield RunEvent.parse(JSON.parse(value.data))
  }
}

export function addEvent(before: RunEvents, event: RunEvent): RunEvents {
  switch (event.type) {
    case 'progress':
      return { ...before, progress: event, connection: 'live' }
    case 'scores':
      return { ...before, scores: thin([...before.scores, event]), connection: 'live' }
    case 'end':
      return { ...before, end: event, connection: 'ended' }
  }
}

/** Keeps the newest point and every second of the others. */
function thin<Item>(items: readonly Item[]): readonly Item[] {
  return items.length <= MAX_SCORES ? items : items.filter((_, index) => (items.length - 1 - index) % 2 === 0)
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}
