import { showHidden } from '../lib/format/visible-text.ts'

/**
 * A line for the command line. What others wrote (names, answers, paths) must not steer the reader's terminal or the CI system that reads the
 * log, so control and invisible characters are shown as such there, and commands are broken; other programs get the text as it is.
 */
export function print(line: string): void {
  process.stdout.write(`${forStream(line, process.stdout)}\n`)
}

/** The same for what went wrong. */
export function complain(line: string): void {
  process.stderr.write(`${forStream(line, process.stderr)}\n`)
}

/** What went wrong, as the interface words refusals where JSON is asked for. */
export function complainAs({ json }: { readonly json: boolean }, code: string, message: string): void {
  if (json) writeJson(process.stderr, JSON.stringify({ error: { code, message } }))
  else complain(message)
}

/** A JSON text, for a program that reads it as such. */
export function writeJson(stream: { write(text: string): unknown }, json: string, env: NodeJS.ProcessEnv = process.env): void {
  stream.write(`${isReadByCi(env) ? json.replaceAll('##', '#\\u0023') : json}\n`)
}

export function forStream(line: string, stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): string {
  if (isReadByCi(env)) return withoutCommands(showHidden(line))
  return stream.isTTY === true ? showHidden(line) : line
}

function isReadByCi(env: NodeJS.ProcessEnv): boolean {
  return ['CI', 'GITHUB_ACTIONS', 'TF_BUILD'].some(name => !['', '0', 'false'].includes((env[name] ?? '').toLowerCase()))
}

/**
 * GitHub Actions obeys `::command::` where a line begins, blanks before it or not, and `##[command]` anywhere; Azure Pipelines `##vso[` and
 * `##[`, TeamCity `##teamcity[`.
 */
function withoutCommands(text: string): string {
  return text.replaceAll(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll(/#(?=#[a-z]*\[)/gi, '# ')
}
