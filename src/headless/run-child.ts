import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs a program in place of this one: same terminal, same signals, its environment with what is added. Answers its exit code; a signal that ended it counts as 1.
 * @throws Error when the program cannot be started.
 */
export async function runChild(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...environment } })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  // A terminal sends Ctrl+C to both by itself; a second one would ask the child to stop at once instead of in good order.
  const interrupt = process.stdin.isTTY ? () => undefined : forward
  process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', interrupt)
  try {
    const [code]: unknown[] = await once(child, 'close')
    return typeof code === 'number' ? code : 1
  } finally {
    process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', interrupt)
  }
}
