import { z } from 'zod'
import { RowError } from '../row.ts'
import type { SentFiles } from './promptfoo-files.ts'

const Scenario = z.looseObject({
  config: z.union([z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))]),
  tests: z.union([z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))]).nullish(),
})
const Parts = z.looseObject({
  vars: z.record(z.string(), z.unknown()).nullish(),
  options: z.record(z.string(), z.unknown()).nullish(),
  assert: z.array(z.unknown()).nullish(),
})

/** Each test of a scenario with each entry of its `config`. @param lines on which the scenarios begin @throws RowError, OrderFault */
export function testsOfScenarios(
  scenarios: unknown,
  files: SentFiles,
  lines: readonly number[],
): { readonly line: number; readonly test: Readonly<Record<string, unknown>> }[] {
  const given = [scenarios ?? []].flat().flatMap((one, i) => {
    const listed = typeof one === 'string' ? [files.settings(one)].flat() : [one]
    return listed.map(scenario => ({ scenario, line: lines[i] ?? 1 }))
  })
  return given.flatMap(({ scenario, line }) => {
    const read = Scenario.safeParse(scenario)
    if (!read.success) throw new RowError('A scenario must have "config", a list of variables, and "tests".')
    const entries = (of: z.infer<typeof Scenario>['tests']) =>
      [of ?? []]
        .flat()
        .flatMap(item => (typeof item === 'string' ? [files.settings(item)].flat() : [item]))
        .map(partsOf)
    const own = read.data.tests == null ? [{}] : entries(read.data.tests)
    return entries(read.data.config).flatMap(shared => own.map(test => ({ line, test: together(shared, test) })))
  })
}

function partsOf(item: unknown): z.infer<typeof Parts> {
  const parts = Parts.safeParse(item)
  if (!parts.success) throw new RowError('An entry of a scenario must be an object with "vars", an object, and perhaps "assert", a list.')
  return parts.data
}

function together(shared: z.infer<typeof Parts>, test: z.infer<typeof Parts>): Record<string, unknown> {
  return {
    ...shared,
    ...test,
    vars: { ...shared.vars, ...test.vars },
    options: { ...shared.options, ...test.options },
    assert: [...(shared.assert ?? []), ...(test.assert ?? [])],
  }
}
