import { fileURLToPath } from 'node:url'
import { decideShell } from './decide-shell.ts'
import { ensureBuilt } from './ensure-built.ts'
import { requireNode } from './require-node.ts'
import { runChild } from './run-child.ts'
import { runBuilt } from './run-built.ts'
import { shellFacts } from './shell-facts.ts'
import { messageOf } from '../lib/message-of.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * `npm start`: builds what has changed, then opens the desktop app or, where that cannot run, serves the same UI to a browser.
 * `npm run serve` is the same with `serve` as first argument: always headless.
 */
async function start([command, ...rest]: readonly string[]): Promise<number> {
  await ensureBuilt(root)
  if (command === 'serve') return runBuilt(root, ['serve', ...rest])
  const args = command === undefined ? rest : [command, ...rest]
  const decision = decideShell(shellFacts())
  if (decision.shell === 'desktop') {
    console.log(`Starting the desktop app: ${decision.reason}.`)
    // The folder rather than the built file, so that Electron takes the app's name and version from package.json.
    return runChild(decision.program, [root, ...args])
  }
  console.log(`Serving the user interface to your browser, without a desktop window: ${decision.reason}.`)
  return runBuilt(root, ['serve', ...args])
}

requireNode()
try {
  process.exitCode = await start(process.argv.slice(2))
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
