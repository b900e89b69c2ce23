import { expect, test } from 'vitest'
import { chooseNext } from '../../../src/service/jobs/choose-next.ts'

const idle = { running: () => 0, lastTurn: () => 0 }

test('nothing waiting gives nothing', () => {
  expect(chooseNext([], idle)).toBeNull()
})

test('the oldest job comes first among workspaces that had no turn', () => {
  const waiting = [
    { id: '2', workspaceId: 'a' },
    { id: '1', workspaceId: null },
  ]
  expect(chooseNext(waiting, idle)?.id).toBe('1')
})

test('fewer running jobs come before an earlier turn, which comes before age', () => {
  const waiting = [
    { id: '1', workspaceId: 'a' },
    { id: '2', workspaceId: 'b' },
    { id: '3', workspaceId: 'c' },
  ]
  const running = (id: string | null) => (id === 'a' ? 1 : 0)
  const lastTurn = (id: string | null) => ({ a: 1, b: 3, c: 2 })[id ?? ''] ?? 0
  expect(chooseNext(waiting, { running, lastTurn })?.id).toBe('3')
})

test('a thousand jobs of one workspace delay another by one job', () => {
  let waiting = Array.from({ length: 1000 }, (_, i) => ({ id: String(i).padStart(4, '0'), workspaceId: 'a' }))
  waiting = [...waiting, { id: '1000', workspaceId: 'b' }]
  const turns = new Map<string | null, number>()
  const order: string[] = []
  for (let turn = 1; turn <= 3; turn++) {
    const next = chooseNext(waiting, { running: () => 0, lastTurn: id => turns.get(id) ?? 0 })
    if (!next) break
    turns.set(next.workspaceId, turn)
    order.push(next.id)
    waiting = waiting.filter(({ id }) => id !== next.id)
  }
  expect(order).toEqual(['0000', '1000', '0001'])
})
