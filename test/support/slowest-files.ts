import { relative } from 'node:path'
import { z } from 'zod'

/** A file of tests and the seconds that it took, beside whatever else ran at the time. */
export interface FileTime {
  readonly file: string
  readonly seconds: number
}

/** The parts that matter here of what Vitest's JSON reporter writes. Times are in milliseconds. */
export const VitestTimes = z.object({ testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })) })

/** The same of Playwright's; groups of tests are suites in the suite of their file. */
const PlaywrightSuite = z.object({
  file: z.string(),
  specs: z.array(z.object({ tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })) })),
  get suites() {
    return z.array(PlaywrightSuite).optional()
  },
})
export const PlaywrightTimes = z.object({ suites: z.array(PlaywrightSuite) })

export function vitestTimes({ testResults }: z.infer<typeof VitestTimes>, root: string): FileTime[] {
  return testResults.map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1000 }))
}

export function playwrightTimes({ suites }: z.infer<typeof PlaywrightTimes>): FileTime[] {
  return suites.map(suite => ({ file: `test/e2e/${suite.file}`, seconds: millisecondsOf(suite) / 1000 }))
}

function millisecondsOf({ specs, suites = [] }: z.infer<typeof PlaywrightSuite>): number {
  const own = specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration)))
  return [...own, ...suites.map(millisecondsOf)].reduce((sum, ms) => sum + ms, 0)
}

/** The slowest first, a line for each. */
export function describeSlowest(times: readonly FileTime[], count: number): string[] {
  return times
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
}
