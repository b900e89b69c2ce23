import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { WorkerLabel } from '../../../../src/contract/workers/workers.schemas.ts'
import { exhaustedOf, parseQueueName, queueName } from '../../../../src/service/workers/queue-name.ts'

/** A label that named such a queue would have its jobs taken for those that are given up. */
test.each(['a', 'code', 'code.exhausted', `model.${randomUUID()}`])('no label names the queue of the exhausted jobs of "%s"', label => {
  const workspaceId = randomUUID()
  expect(WorkerLabel.safeParse(label).success).toBe(true)
  expect(parseQueueName(queueName(workspaceId, label))).toEqual({ workspaceId, label })
  const exhausted = exhaustedOf(queueName(workspaceId, label))
  expect(exhausted.startsWith(queueName(workspaceId, ''))).toBe(true)
  expect(WorkerLabel.safeParse(exhausted.slice(queueName(workspaceId, '').length)).success).toBe(false)
})
