import type { Route } from '@playwright/test'
import type { TaskMetadata } from '../../src/contract/index.ts'
import { expect, test } from './support/workstation.ts'

const ROWS = 100_000
const PAGE = 50_000

/** Answers the task listing as a source with many tasks would. */
async function manyTasks(route: Route): Promise<void> {
  const query = new URL(route.request().url()).searchParams
  const offset = Number(query.get('offset') ?? 0)
  const source_ref = query.get('source_ref') ?? ''
  const items = Array.from({ length: PAGE }, (_, i): TaskMetadata => {
    const position = offset + i
    const task_id = `task-${position}`
    return {
      task_id,
      source_ref,
      split: 'test',
      position,
      preview: `Words of ${position}`,
      input_characters: 90,
      choices: null,
      capabilities: [],
      depends_on: [],
    }
  })
  const next_offset = offset + PAGE < ROWS ? offset + PAGE : null
  await route.fulfill({ json: { items, source_ref, total: ROWS, limit: PAGE, offset, next_offset } })
}

test('a table of 100,000 rows holds only what is in view and is walked from end to end by keyboard', async ({ app }) => {
  test.slow()
  await app.route('**/v1/catalog/tasks?*', manyTasks)
  await app.goto('/catalog/arithmetic-word-problems')
  const grid = app.getByRole('grid', { name: 'Example tasks' })
  await expect(grid.getByText('task-0', { exact: true })).toBeVisible({ timeout: 30_000 })
  await grid.focus()
  await app.keyboard.press('End')
  await expect(grid.getByText('task-49999', { exact: true })).toBeVisible()
  // Near the end of what is loaded the next page was asked for.
  await expect(app.getByText('100,000 rows')).toBeVisible({ timeout: 30_000 })
  await app.keyboard.press('End')
  await expect(grid.getByText('task-99999', { exact: true })).toBeVisible()
  await expect(grid).toHaveAttribute('aria-rowcount', String(ROWS + 1))
  expect(await grid.locator('tbody tr').count()).toBeLessThan(60)

  await app.keyboard.press('Home')
  await expect(grid.getByText('task-0', { exact: true })).toBeVisible({ timeout: 30_000 })
})

test('scrolling through 100,000 rows keeps up with the wheel', async ({ app }) => {
  test.slow()
  await app.route('**/v1/catalog/tasks?*', manyTasks)
  await app.goto('/catalog/arithmetic-word-problems')
  const grid = app.getByRole('grid', { name: 'Example tasks' })
  await grid.focus()
  await app.keyboard.press('End')
  await expect(app.getByText('100,000 rows')).toBeVisible({ timeout: 30_000 })
  await app.keyboard.press('Home')

  const frames = await grid.locator('xpath=..').evaluate(async scroller => {
    const lengths: number[] = []
    let before = performance.now()
    for (let step = 0; step < 120; step++) {
      scroller.scrollTop += 640
      await new Promise(resolve => requestAnimationFrame(resolve))
      const now = performance.now()
      lengths.push(now - before)
      before = now
    }
    return lengths.toSorted((a, b) => a - b)
  })
  const median = frames[Math.floor(frames.length / 2)] ?? Number.POSITIVE_INFINITY
  test.info().annotations.push({ type: 'frame time', description: `median ${median.toFixed(1)} ms, worst ${frames.at(-1)?.toFixed(1)} ms` })
  console.log(
    `100,000 rows: median frame ${median.toFixed(1)} ms, 95th percentile ${frames[113]?.toFixed(1)} ms, worst ${frames.at(-1)?.toFixed(1)} ms`,
  )
  // A whole screen of new rows in every frame; twice a frame at 30 Hz leaves room for a busy machine.
  expect(median).toBeLessThan(66)
})
