import { expect, test } from 'vitest'
import { createRunTasks } from '../../../../src/service/runs/run-tasks.ts'

/** Executions that each end when told to. */
function tasks() {
  const open = new Set([1])
  const begun: (() => void)[] = []
  const runs = createRunTasks(
    () => new Promise(resolve => begun.push(resolve)),
    runNo => open.has(runNo),
  )
  const end = async () => {
    begun.at(-1)?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { runs, open, end, executions: () => begun.length }
}

test('executes a run once more when it was told to in the last moment of an execution', async () => {
  const { runs, end, executions } = tasks()
  runs.begin(1)
  runs.begin(1)
  expect(executions()).toBe(1)
  await end()
  expect({ executions: executions(), busy: runs.isBusy(1) }).toEqual({ executions: 2, busy: true })
  await end()
  expect({ executions: executions(), busy: runs.isBusy(1) }).toEqual({ executions: 2, busy: false })
})

test('executes a run that has ended no more, whatever it was told meanwhile', async () => {
  const { runs, open, end, executions } = tasks()
  runs.begin(1)
  runs.begin(1)
  open.delete(1)
  await end()
  expect({ executions: executions(), busy: runs.isBusy(1) }).toEqual({ executions: 1, busy: false })
})

test('begins nothing once it closes, and waits for what is executed', async () => {
  const { runs, end, executions } = tasks()
  runs.begin(1)
  runs.begin(1)
  const closed = runs.close()
  await end()
  await closed
  runs.begin(2)
  expect(executions()).toBe(1)
})
