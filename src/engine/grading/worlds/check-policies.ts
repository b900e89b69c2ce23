import { z } from 'zod'
import type { PolicyRule } from '../../../contract/worlds/policies.schemas.ts'
import { callsOfRule } from '../../../contract/worlds/worlds.schemas.ts'
import { userPattern } from '../scorers/patterns/user-pattern.ts'
import { describeCall, type Failed, type MadeCall, madeCalls, wantedOf } from './check-calls.ts'
import { isEqual, shown } from './json-values.ts'
import type { PlayedEpisode } from './played-episode.ts'
import { partsAt, touches } from './state-changes.ts'

/** The part of a stored task of a world that tells which rules it must keep; it was checked when the world was made. */
export const policyFields = {
  policies: z.array(z.custom<PolicyRule>(value => typeof value === 'object' && value !== null)).default([]),
  initial_state: z.record(z.string(), z.unknown()).default({}),
}

type Breach = PolicyRule['broken_by']
type CallBreach = Extract<Breach, { call: unknown }>

/**
 * The rules that an episode broke, each with the turn that broke it. What was done counts, never how it was told.
 * @param before state at the start of the task
 * @throws ScorerConfigError for a rule that makes no sense
 */
export function brokenPolicies(
  rules: readonly PolicyRule[],
  episode: PlayedEpisode,
  before: Readonly<Record<string, unknown>>,
): (Failed & { readonly rule: string })[] {
  return rules.flatMap(({ name, text, broken_by: breach }) => {
    const broken = breachIn(breach, episode, before)
    return broken ? [{ rule: name, part: 'policy' as const, turn: broken.turn, message: `${broken.what} Rule ${name}: “${text}”.` }] : []
  })
}

interface Broken {
  readonly turn: number
  readonly what: string
}

function breachIn(breach: Breach, episode: PlayedEpisode, before: Readonly<Record<string, unknown>>): Broken | null {
  if ('call' in breach) return callBreach(breach, madeCalls(episode))
  if ('changed' in breach) return stateBreach(breach.changed, episode, before)
  const pattern = userPattern(breach.said)
  const said = episode.messages.filter(({ role }) => role === 'assistant')
  const place = said.findIndex(({ content }) => [...pattern.matches(content)].length > 0)
  return place === -1 ? null : { turn: Math.min(place + 1, episode.turns), what: `The model wrote ${shown(said[place]?.content)}.` }
}

function callBreach(
  { call, unless_after: needed, same_arguments: same = [], at_most: most = 0 }: CallBreach,
  made: readonly MadeCall[],
): Broken | null {
  const wanted = wantedOf(call)
  const before = needed && wantedOf(needed)
  const bad = made.filter((each, i) => {
    if (!wanted.takes(each)) return false
    const permits = (earlier: MadeCall) =>
      !earlier.error && before?.takes(earlier) === true && same.every(name => isEqual(earlier.arguments[name], each.arguments[name]))
    return !made.slice(0, i).some(permits)
  })[most]
  if (!bad) return null
  const why = [...(needed ? [`without ${needed.name} before it`] : []), ...(most > 0 ? [`${most + 1} times`] : [])]
  return { turn: bad.turn, what: `The call ${describeCall(bad)} was made${why.map(each => ` ${each}`).join('')}.` }
}

function stateBreach(pointer: string, { state, steps, turns }: PlayedEpisode, start: Readonly<Record<string, unknown>>): Broken | null {
  const [before, after] = [partsAt(start, pointer), partsAt(state, pointer)]
  const path = [...new Set([...before.keys(), ...after.keys()])].find(
    each => before.has(each) !== after.has(each) || !isEqual(before.get(each), after.get(each)),
  )
  if (path === undefined) return null
  const step = steps.findLast(({ changes }) => changes.some(change => touches(change.path, path)))
  return { turn: step?.turn ?? turns, what: `The state ${path} was ${shown(before.get(path))} and is ${shown(after.get(path))}.` }
}

/** @throws ScorerConfigError for a rule that makes no sense */
export function checkRule(rule: PolicyRule): void {
  const { broken_by: breach } = rule
  if ('said' in breach) userPattern(breach.said)
  for (const call of callsOfRule(rule)) wantedOf(call)
}
