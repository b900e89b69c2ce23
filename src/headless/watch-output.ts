import { describeFailure } from './describe-failure.ts'
import { exitCodes } from './exit-codes.ts'

/**
 * Watches the output streams of the process. A reader that has gone, such as `head`, ends nothing: the command continues and exits by its own
 * outcome. Output that could not be written for another reason, such as a full disk, makes a passed command fail.
 * @returns the exit code that also says whether the output was written
 */
export function watchOutput(): (code: number) => number {
  let hasFailed = false
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || hasFailed) return
    hasFailed = true
    process.stderr.write(`The output could not be written: ${describeFailure(error)}\n`)
    process.exitCode ||= exitCodes.error
  })
  return code => (hasFailed && code === exitCodes.passed ? exitCodes.error : code)
}
