import { relative } from 'node:path'
import { z } from 'zod'

/** The parts that matter here of what Vitest's JSON reporter writes; `message` is set where a file failed outside its tests. */
export const VitestVerdicts = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
})

const PlaywrightResult = z.object({ status: z.string(), errors: z.array(z.object({ message: z.string().optional() })).optional() })

/** The same of Playwright's; groups of tests are suites in the suite of their file. */
const PlaywrightSuite = z.object({
  file: z.string(),
  specs: z.array(z.object({ title: z.string(), ok: z.boolean(), tests: z.array(z.object({ results: z.array(PlaywrightResult) })) })),
  get suites() {
    return z.array(PlaywrightSuite).optional()
  },
})
export const PlaywrightVerdicts = z.object({ suites: z.array(PlaywrightSuite) })

/** A line for each failed test: file, title and the first line of its error. */
export function vitestFailures({ testResults }: z.infer<typeof VitestVerdicts>, root: string): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults
      .filter(test => test.status === 'failed')
      .map(test => describeFailure(file, test.fullName, test.failureMessages?.[0]))
    return failed.length > 0 || status !== 'failed' ? failed : [describeFailure(file, 'outside its tests', message)]
  })
}

export function playwrightFailures({ suites }: z.infer<typeof PlaywrightVerdicts>): string[] {
  return suites.flatMap(failuresOf)
}

function failuresOf({ file, specs, suites = [] }: z.infer<typeof PlaywrightSuite>): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const results = tests.flatMap(({ results: attempts }) => attempts)
      return describeFailure(`test/e2e/${file}`, title, results.find(({ status }) => status !== 'passed')?.errors?.[0]?.message)
    })
  return [...own, ...suites.flatMap(failuresOf)]
}

function describeFailure(file: string, title: string, message = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape character begins what colors a terminal's text
  const firstLine =
    message
      .replaceAll(/\u001B\[[\d;]*m/g, '')
      .split('\n', 1)[0]
      ?.trim() ?? ''
  return `${file} › ${title}${firstLine === '' ? '' : `: ${firstLine}`}`
}
