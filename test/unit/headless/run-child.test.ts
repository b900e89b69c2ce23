import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { runChild } from '../../../src/headless/run-child.ts'

const file = new URL('../../../src/headless/run-child.ts', import.meta.url).href

describe('a program run in place of this one', () => {
  test.each([0, 3])('passes on its exit code %i', async code => {
    expect(await runChild(process.execPath, ['-e', `process.exit(${code})`])).toBe(code)
  })

  test('counts a signal that ended it as a failure', async () => {
    expect(await runChild(process.execPath, ['-e', "process.kill(process.pid, 'SIGKILL')"])).toBe(1)
  })

  test('that cannot be started is an error', async () => {
    await expect(runChild('no-such-program-of-assay', [])).rejects.toThrow('ENOENT')
  })

  test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'gets %s and may end in good order (Windows knows no such signals)',
    async signal => {
      const child = `process.on('${signal}', () => { console.log('in order'); process.exit(7) }); setInterval(() => undefined, 1000); console.log('ready')`
      const parent = `import { runChild } from '${file}'; process.exit(await runChild(process.execPath, ['-e', ${JSON.stringify(child)}]))`
      const running = spawn(process.execPath, ['--input-type=module', '-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] })
      const said: string[] = []
      running.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
      await once(running.stdout, 'data')
      running.kill(signal)
      expect(await once(running, 'close')).toEqual([7, null])
      expect(said.join('')).toBe('ready\nin order\n')
    },
  )

  test('leaves no handler of a signal behind', async () => {
    const before = process.listenerCount('SIGTERM')
    await runChild(process.execPath, ['-e', ''])
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})
