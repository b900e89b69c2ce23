import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { firstSeat, openForkServer } from '../../../../../src/engine/grading/sandbox/fork-server.ts'
import { SandboxLostError } from '../../../../../src/engine/grading/sandbox/sandbox-process.ts'

/** A shell in place of a fork server. */
function shell(script: string) {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true })
  return { child, server: openForkServer(child, 1, 60_000), seat: child.stdio[firstSeat] }
}

test.skipIf(process.platform === 'win32')('a process of a server that closed its seats and ends is lost, and gone', async () => {
  const { child, server, seat } = shell('exec 3>&-; read line')
  if (seat) await once(seat, 'close')
  expect(server.hasSeat()).toBe(true)
  const asked = server.start('candidate')
  child.kill('SIGKILL')
  await expect(asked.ready).rejects.toThrow(SandboxLostError)
  await asked.close()
})

test.skipIf(process.platform === 'win32')('a process of a killed server is gone, whoever still holds its seat', async () => {
  const { child, server } = shell('sleep 600 & echo started; read line')
  onTestFinished(() => void process.kill(-(child.pid ?? Number.NaN), 'SIGKILL'))
  const asked = server.start('candidate')
  if (child.stdout) await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await expect(asked.ready).rejects.toThrow(SandboxLostError)
  await asked.close()
})
