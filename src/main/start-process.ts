import { dirname } from 'node:path'
import { utilityProcess } from 'electron'
import type { StartNodeProcess } from '../service/host.ts'

/**
 * Starts a script in a utility process: the installed app's program starts no Node (`runAsNode` is off). Electron passes none of Node's
 * switches on to it, so the script must not count on any.
 */
export const startProcess: StartNodeProcess = (script, events) => {
  const child = utilityProcess.fork(script, [], {
    // An environment without entries would be taken for none, and this process's own would be given. Windows needs where it lies.
    env: { ASSAY_SANDBOX: '1', ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }) },
    cwd: dirname(script),
    stdio: 'ignore',
    serviceName: 'Assay sandbox',
    // What it does is not done in the name of Assay (macOS).
    disclaim: true,
  })
  let isKilled = false
  let isOver = false
  const end = () => {
    // Electron's `kill` asks, and code that does not listen must end as well.
    if (child.pid === undefined) return
    try {
      process.kill(child.pid, 'SIGKILL')
    } catch {
      // It has just ended.
    }
  }
  child.on('spawn', () => {
    if (isKilled) end()
  })
  child.on('message', data => {
    if (!isKilled) events.message(data)
  })
  child.on('exit', code => {
    if (isOver) return
    isOver = true
    events.end(isKilled ? 'It was killed.' : `It ended with code ${code}.`)
  })
  return {
    post: message => child.postMessage(message),
    kill: () => {
      isKilled = true
      if (!isOver) end()
    },
  }
}
