import { expect, test, vi } from 'vitest'
import type { App } from '../../../src/service/app.ts'
import { startTestService } from '../../support/service.ts'

const composed = vi.hoisted(() => ({ apps: [] as App[] }))
vi.mock('../../../src/service/app.ts', async original => {
  const module = await original<typeof import('../../../src/service/app.ts')>()
  return {
    createApp: async (...given: Parameters<typeof module.createApp>) => {
      const app = await module.createApp(...given)
      composed.apps.push(app)
      return app
    },
  }
})

test('jobs recover before runs resume; calls in flight end first, then jobs, then runs, and what they use last', async () => {
  await using service = await startTestService()
  expect(service.baseUrl).toBeDefined()
  const [app] = composed.apps
  const parts = Object.entries(app?.background ?? {})
  const started = parts.filter(([, part]) => part.start).map(([name]) => name)
  const closed = parts
    .filter(([, part]) => part.close)
    .map(([name]) => name)
    .toReversed()
  expect(started.filter(name => ['recovery', 'runs', 'releases', 'schedules'].includes(name))).toEqual([
    'recovery',
    'runs',
    'releases',
    'schedules',
  ])
  expect(closed[0]).toBe('drain')
  expect(closed.filter(name => ['jobs', 'runs', 'seeding'].includes(name))).toEqual(['jobs', 'runs', 'seeding'])
  expect(closed.slice(-3)).toEqual(['localModels', 'workers', 'network'])
})
