import { checkWithTests, type TestSuite } from '../../sandbox/check-with-tests.ts'
import type { LoadedProgram } from '../../sandbox/load-message.ts'
import type { Room, Sandbox } from '../../sandbox/sandbox.ts'
import { limitFor, leastLimit, longestLimit } from './time-limit.ts'
import { type CodeOutcome, missingModule } from './verdict.ts'

/**
 * Runs test code against a program. One that is too slow for the least limit is measured against the reference, here and now.
 * @param reference the task's own solution as a program; null when it has none
 */
export function runTests(sandbox: Sandbox, program: LoadedProgram, suite: TestSuite, reference: string | null): Promise<CodeOutcome> {
  return sandbox.use(async room => {
    const first = await checkWithTests(room, program, suite, leastLimit)
    if (first.kind === 'tests_broke') return brokenTests(room, suite, first.detail, reference)
    if (first.kind !== 'timeout') return outcomeOf(first, `It had ${seconds(leastLimit)}.`)
    if (reference === null) return { kind: 'timeout', detail: `The code did not end within ${seconds(leastLimit)}.` }
    const measured = await checkWithTests(room, { source: reference }, suite, longestLimit)
    if (measured.kind === 'timeout')
      return { kind: 'too_slow', detail: `Not even the task’s reference ends within ${seconds(longestLimit)} on this machine.` }
    if (measured.kind !== 'passed') return { kind: 'no_verdict', detail: `The task’s reference fails its own tests: ${measured.detail}` }
    const limit = Math.min(longestLimit, limitFor(measured.seconds * 1000))
    const again = limit > leastLimit ? await checkWithTests(room, program, suite, limit) : first
    if (again.kind === 'tests_broke') return { kind: 'failed', detail: brokenBy(again.detail) }
    const calibration = `the reference takes ${measured.seconds.toFixed(2)} s on this machine.`
    if (again.kind !== 'timeout') return outcomeOf(again, `It had ${seconds(limit)}: ${calibration}`)
    return { kind: 'timeout', detail: `The code did not end within ${seconds(limit)}; ${calibration}` }
  })
}

/**
 * Code must not be able to choose that it is unscored, so tests that break on what it returned count as failed; unless they break on
 * what the task's own reference returns too.
 */
async function brokenTests(room: Room, suite: TestSuite, detail: string, reference: string | null): Promise<CodeOutcome> {
  const measured = reference === null ? null : await checkWithTests(room, { source: reference }, suite, longestLimit)
  if (measured === null || measured.kind === 'passed') return { kind: 'failed', detail: brokenBy(detail) }
  return { kind: 'no_verdict', detail: `The task’s reference fails its own tests: ${measured.detail}` }
}

function brokenBy(detail: string): string {
  return `${detail} They had been given what this code returned.`
}

/** @param time what the code was given, for who asks why another machine found otherwise */
function outcomeOf({ kind, detail }: Awaited<ReturnType<typeof checkWithTests>>, time: string): CodeOutcome {
  switch (kind) {
    case 'passed':
      return { kind, detail: `${detail} ${time}` }
    case 'tests_broke':
    case 'not_checked':
      return { kind: 'no_verdict', detail }
    case 'timeout':
      return { kind, detail }
    case 'missing_module':
      return missingModule(detail)
    case 'failed':
    case 'crashed':
      return { kind: 'failed', detail: `A test fails. ${detail}`.trim() }
  }
}

export function seconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`
}
