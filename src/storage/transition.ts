import { notFound } from '../contract/errors.ts'
import { illegalTransition, type Machine } from '../contract/machine.ts'
import type { Database } from './database.ts'

/** Where a machine's state is kept. Names are ours, never a request's. */
export interface StateColumn {
  readonly table:
    | 'runs'
    | 'connections'
    | 'imports'
    | 'answer_imports'
    | 'purchases'
    | 'feedback'
    | 'jobs'
    | 'trace_integrations'
    | 'dataset_examples'
    | 'creator_packages'
    | 'dataset_imports'
    | 'dataset_scans'
    | 'calibrations'
    | 'release_decisions'
    | 'evaluator_drafts'
    | 'remote_scorers'
    | 'release_issues'
    | 'tune_sessions'
    | 'tune_monitors'
    | 'tune_occurrences'
    | 'workers'
    | 'schedules'
    | 'schedule_occurrences'
    | 'webhooks'
    | 'webhook_deliveries'
  readonly column: 'status' | 'accounting_state' | 'state' | 'review_state'
}

/**
 * The only writer of a state: one compare-and-set, and a row that says what happened, in the caller's transaction. Refuses with
 * `illegal_transition` naming the present state, or `not_found`.
 */
export function transition<State extends string, Event extends string>(
  db: Database,
  machine: Machine<State, Event>,
  at: StateColumn,
  id: string,
  event: Event,
  now: string,
  note: string | null = null,
): { readonly from: State; readonly to: State } {
  return db.transaction(() => {
    const { from: allowed, to } = machine.events[event]
    const present = db.prepare(`select ${at.column} as state from ${at.table} where id = ?`).get(id) as { state: State } | undefined // the column's check keeps it a state
    if (!present) throw notFound(machine.resource, id)
    if (!allowed.includes(present.state)) throw illegalTransition(machine.resource, id, present.state, event)
    db.prepare(`update ${at.table} set ${at.column} = ? where id = ? and ${at.column} = ?`).run(to, id, present.state)
    db.prepare('insert into transitions (resource, resource_id, event, from_state, to_state, at, note) values (?, ?, ?, ?, ?, ?, ?)').run(
      machine.resource,
      id,
      event,
      present.state,
      to,
      now,
      note,
    )
    return { from: present.state, to }
  })
}

/** A machine's events as parts of statements that move many rows at once, and keep no row of `transitions`. */
export interface StateSql<Event extends string> {
  /** The condition under which an event is possible. @param prefix of the column, such as `s.` */
  from(event: Event, prefix?: string): string
  /** The assignment that it makes. */
  to(event: Event): string
}

/** @param column where the state is kept; states and columns are ours, never a request's */
export function stateSql<State extends string, Event extends string>(machine: Machine<State, Event>, column: string): StateSql<Event> {
  const list = (states: readonly State[]) => states.map(state => `'${state}'`).join(', ')
  return {
    from: (event, prefix = '') => {
      const { from } = machine.events[event]
      return from.length === 1 ? `${prefix}${column} = ${list(from)}` : `${prefix}${column} in (${list(from)})`
    },
    to: event => `${column} = '${machine.events[event].to}'`,
  }
}
