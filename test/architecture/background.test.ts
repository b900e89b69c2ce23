import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What the service does in the background, in the order of its start, as `createApp` lists it. */
const source = readFileSync(new URL('../../src/service/app.ts', import.meta.url), 'utf8')
const list = /^ {4}background: \{\n(?<parts>[^]+?)^ {4}\},$/m.exec(source)?.groups?.['parts'] ?? ''
const parts = [...list.matchAll(/^ {6}(?:\.\.\.\(team \? \{ )?(\w+)/gm)].map(([, name]) => name)

test('jobs recover before runs resume; calls in flight end first, then jobs, then runs, and what they use last', () => {
  expect(parts.length).toBeGreaterThan(15)
  expect(parts.filter(name => ['recovery', 'runs', 'releases', 'schedules'].includes(name ?? ''))).toEqual([
    'recovery',
    'runs',
    'releases',
    'schedules',
  ])
  const closed = parts.toReversed()
  expect(closed[0]).toBe('drain')
  expect(closed.filter(name => ['jobs', 'runs', 'team', 'seeding'].includes(name ?? ''))).toEqual(['jobs', 'runs', 'seeding', 'team'])
  expect(closed.slice(-3)).toEqual(['localModels', 'workers', 'network'])
})
