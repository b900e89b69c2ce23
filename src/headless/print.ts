import { showHidden } from '../lib/format/visible-text.ts'

/**
 * A line for the command line. What others wrote (names, answers, paths) must not steer the reader's terminal, so control and invisible
 * characters are shown as such; programs that read a pipe get the text as it is.
 */
export function print(line: string): void {
  process.stdout.write(`${forStream(line, process.stdout)}\n`)
}

/** The same for what went wrong. */
export function complain(line: string): void {
  process.stderr.write(`${forStream(line, process.stderr)}\n`)
}

export function forStream(line: string, stream: { readonly isTTY?: boolean }): string {
  return stream.isTTY === true ? showHidden(line) : line
}
