import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { jobEnd } from '../support/judging.ts'
import { startTestService } from '../support/service.ts'

test('the runtime is downloaded from the registry that a person names, without npm', async () => {
  const asked: string[] = []
  const registry = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void registry.close())
  const { port } = registry.address() as AddressInfo // it listens on a port
  await using service = await startTestService()
  const begun = await service.client.call('installLocalRuntime', { body: { registry: `http://127.0.0.1:${port}/npm` } })
  await jobEnd(service.client, begun.job_id ?? '')
  expect(asked.length).toBeGreaterThan(0)
  for (const path of asked) expect(path).toMatch(/^\/npm\/[@\w/.-]+\/-\/[\w.-]+\.tgz$/)
  const { status, problem } = await service.client.call('getLocalRuntime', {})
  expect(status).toBe('not_installed')
  expect(problem).toContain('could not be downloaded')

  const both = { registry: 'https://registry.example', from: '/packages' }
  await expect(service.client.call('installLocalRuntime', { body: both })).rejects.toThrow('has no place beside `from`')
})
