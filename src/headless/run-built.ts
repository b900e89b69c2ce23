import { join } from 'node:path'
import { frugalArguments, frugalEnvironment } from './frugal-process.ts'
import { runChild } from './run-child.ts'

/**
 * Turns this process into a command of the built program with memory settings that can only be given at its beginning: same process id,
 * same terminal, no parent left behind. Windows cannot replace a process, so there it is a child and its exit code is answered.
 */
export async function runBuilt(root: string, args: readonly string[]): Promise<number> {
  const command = [...frugalArguments, join(root, 'out/main/headless.js'), ...args]
  if (process.platform === 'win32') return runChild(process.execPath, command, frugalEnvironment)
  process.execve?.(process.execPath, [process.execPath, ...command], { ...process.env, ...frugalEnvironment })
  // Reached only under a Node without execve.
  return runChild(process.execPath, command, frugalEnvironment)
}
