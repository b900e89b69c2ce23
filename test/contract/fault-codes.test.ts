import { expect, test } from 'vitest'
import { errorCodes } from '../../src/contract/errors.ts'
import { api } from '../../src/contract/api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { failureCodes, pauseCodes, stopCodes } from '../../src/contract/runs/failure-codes.ts'
import { exitCodeOf, exitCodes } from '../../src/headless/exit-codes.ts'
import { sources } from '../architecture/sources.ts'

const meanings = (table: Readonly<Record<string, string | { readonly meaning: string }>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(table).map(([code, fact]) => [code, typeof fact === 'string' ? fact : fact.meaning]))

/** What can go wrong, by where it is told: refusals of requests, failures of calls, and why runs stop or wait. */
const tables = {
  errors: meanings(errorCodes),
  failures: meanings(failureCodes),
  stops: meanings(stopCodes),
  pauses: meanings(pauseCodes),
}

/** The same fault, told at two places; any other name belongs to one table. */
const shared: Readonly<Record<string, string>> = {
  rate_limited: 'too many requests: of the client to Assay, of Assay to the provider',
  internal_error: 'the service itself failed: in a request, while it executed a run',
}

interface Thrown {
  readonly code: string
  readonly message: string
  readonly file: string
}

/** Every refusal that services write, with the text of its message as it is in the source. */
const thrown: readonly Thrown[] = sources
  .filter(({ file }) => file.startsWith('service/'))
  .flatMap(({ file, text }) =>
    [...text.matchAll(/new ApiError\(\s*'([a-z_]+)',\s*(`[^`]*`|'[^'\n]*')/g)].map(([, code = '', message = '']) => ({
      code,
      message,
      file,
    })),
  )

test('each code has one meaning and each meaning one code', () => {
  const rows = Object.entries(tables).flatMap(([table, codes]) =>
    Object.entries(codes).map(([code, meaning]) => ({ table, code, meaning })),
  )
  const twice = (of: 'code' | 'meaning') =>
    [...Map.groupBy(rows, row => row[of])].filter(([, found]) => found.length > 1).map(([value]) => value)
  expect(twice('meaning')).toEqual([])
  expect(twice('code').toSorted()).toEqual(Object.keys(shared).toSorted())
})

test('each error code is one that services throw, with its own status', () => {
  const everything = sources
    .filter(({ file }) => /^(?:service|contract\/machine)/.test(file))
    .map(({ text }) => text)
    .join('\n')
  const ownHelpers = ['validation_error', 'not_found']
  expect(Object.keys(errorCodes).filter(code => !ownHelpers.includes(code) && !everything.includes(`'${code}'`))).toEqual([])
  const declared = new Set(Object.values<Endpoint>(api).flatMap(({ errors = [] }) => errors))
  expect([...declared].filter(code => !Object.hasOwn(errorCodes, code))).toEqual([])
})

test('the same words are said under one code', () => {
  expect(thrown.length).toBeGreaterThan(150)
  const mixed = [...Map.groupBy(thrown, ({ message }) => message)].filter(([, found]) => new Set(found.map(({ code }) => code)).size > 1)
  expect(mixed.map(([message]) => message)).toEqual([])
})

/** Words that tell a state of the resource that a request names. */
const state =
  /\b(?:is|was) (?:archived|closed|in quarantine|not approved|being checked already|used already|started before|rolled already|drained|draining)\b|has left\b|\bis \$\{(?:[a-z]+\.)?(?:status|state)\}/i

test('a state that forbids an action is illegal_transition, and never a conflict with other data', () => {
  const stated = thrown.filter(({ code, message }) => (code === 'conflict' || code === 'illegal_transition') && state.test(message))
  expect(stated.length).toBeGreaterThan(8)
  expect(stated.filter(({ code }) => code === 'conflict')).toEqual([])
})

test('a limit of money is told by a code of money', () => {
  const ofMoney = new Set(['insufficient_credit', 'spend_ceiling_reached', 'spending_limit_reached'])
  const told = thrown.filter(({ message }) => /formatUsd\(.* left\b/.test(message))
  expect(told.length).toBeGreaterThan(1)
  expect(told.filter(({ code }) => !ofMoney.has(code))).toEqual([])
})

test('each error code ends the command line with one exit code', () => {
  const byCode = Object.fromEntries(Object.keys(errorCodes).map(code => [code, exitCodeOf(code)]))
  const of = (exit: number) =>
    Object.entries(byCode)
      .filter(([, code]) => code === exit)
      .map(([code]) => code)
  expect(of(exitCodes.humanNeeded).toSorted()).toEqual([
    'human_approval_required',
    'insufficient_credit',
    'owner_session_required',
    'spend_ceiling_reached',
    'spending_limit_reached',
  ])
  expect(of(exitCodes.inconclusive)).toEqual(['result_not_ready'])
  expect(of(exitCodes.passed)).toEqual([])
  expect(of(exitCodes.gateFailed)).toEqual([])
  // An id that names nothing is a mistake of who typed it, whether this program or the service finds out.
  expect(byCode['not_found']).toBe(exitCodes.usage)
  expect(exitCodeOf('of_a_newer_service')).toBe(exitCodes.error)
})
