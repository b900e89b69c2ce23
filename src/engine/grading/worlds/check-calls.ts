import type { ExpectedCall } from '../../../contract/worlds/policies.schemas.ts'
import type { WorldExpectation } from '../../../contract/worlds/worlds.schemas.ts'
import { shown } from './json-values.ts'
import { argumentCheck } from './match-arguments.ts'
import type { PlayedEpisode } from './played-episode.ts'

/** A tool call of an episode, with the turn that made it. */
export interface MadeCall {
  readonly turn: number
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly error: boolean
}

/** An expectation that did not hold. */
export interface Failed {
  readonly part: 'state' | 'calls' | 'answer' | 'policy'
  /** Turn of the model at which it failed, from 1. */
  readonly turn: number
  readonly message: string
}

interface Wanted {
  readonly call: ExpectedCall
  takes(made: MadeCall): boolean
}

/** @returns calls of an episode that the world executed, in order */
export function madeCalls({ steps }: Pick<PlayedEpisode, 'steps'>): MadeCall[] {
  return steps.flatMap(({ turn, calls }) => calls.map(call => ({ turn, ...call })))
}

/** The first forbidden call that was made; null where none was. @throws ScorerConfigError */
export function forbiddenCall(calls: WorldExpectation['calls'], made: readonly MadeCall[]): Failed | null {
  const forbidden = (calls?.forbidden ?? []).map(wantedOf)
  const found = made.find(call => forbidden.some(wanted => wanted.takes(call)))
  return found ? { part: 'calls', turn: found.turn, message: `The forbidden call ${describeCall(found)} was made.` } : null
}

/** What does not hold of the expected calls. @throws ScorerConfigError for a rule that makes no sense */
export function checkCalls(expected: WorldExpectation['calls'], made: readonly MadeCall[], turns: number): Failed[] {
  if (!expected) return []
  const failed: (Failed | null)[] = [forbiddenCall(expected, made)]
  if (expected.exact) failed.push(checkExact(expected.exact.map(wantedOf), made, turns))
  if (expected.any_order) {
    const { missing, extra } = assign(expected.any_order.map(wantedOf), made)
    failed.push(missing ? notMade(missing, turns) : extra ? notExpected(extra) : null)
  }
  if (expected.subset) {
    const { missing } = assign(expected.subset.map(wantedOf), made)
    failed.push(missing ? notMade(missing, turns) : null)
  }
  return failed.filter(each => each !== null)
}

function checkExact(wanted: readonly Wanted[], made: readonly MadeCall[], turns: number): Failed | null {
  for (const [i, call] of made.entries()) {
    const next = wanted[i]
    if (!next) return notExpected(call)
    if (!next.takes(call))
      return {
        part: 'calls',
        turn: call.turn,
        message: `Call ${i + 1} is ${describeCall(call)}; ${describeWanted(next.call)} was expected.`,
      }
  }
  const missing = wanted[made.length]
  return missing ? notMade(missing, turns) : null
}

export function wantedOf(call: ExpectedCall): Wanted {
  const fits = call.arguments ? argumentCheck(call.arguments, 'absent') : () => true
  return { call, takes: made => made.name === call.name && fits(made.arguments) }
}

/** Gives each wanted call one of those that were made, by augmenting paths, so that an early choice takes none from a stricter rule. */
function assign(
  wanted: readonly Wanted[],
  made: readonly MadeCall[],
): { readonly missing: Wanted | null; readonly extra: MadeCall | null } {
  const takenBy = new Map<MadeCall, Wanted>()
  const place = (one: Wanted, tried: Set<MadeCall>): boolean =>
    made.some(call => {
      if (tried.has(call) || !one.takes(call)) return false
      tried.add(call)
      const holder = takenBy.get(call)
      if (holder && !place(holder, tried)) return false
      takenBy.set(call, one)
      return true
    })
  const missing = wanted.find(one => !place(one, new Set())) ?? null
  return { missing, extra: made.find(call => !takenBy.has(call)) ?? null }
}

function notMade({ call }: Wanted, turns: number): Failed {
  return { part: 'calls', turn: turns, message: `The call ${describeWanted(call)} was not made.` }
}

function notExpected(call: MadeCall): Failed {
  return { part: 'calls', turn: call.turn, message: `The call ${describeCall(call)} was not expected.` }
}

export function describeCall({ name, arguments: given }: MadeCall): string {
  return `${name} ${shown(given)}`
}

function describeWanted({ name, arguments: rules }: ExpectedCall): string {
  return rules ? `${name} ${shown(rules)}` : name
}
