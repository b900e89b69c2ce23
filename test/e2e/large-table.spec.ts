import type { Route } from '@playwright/test'
import type { TaskMetadata } from '../../src/contract/catalog/tasks.schemas.ts'
import { slowness } from '../support/machine-speed.ts'
import { measureScroll } from '../support/measure-page.ts'
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
  await expect(grid.getByText('task-0', { exact: true })).toBeVisible()
  await grid.focus()
  await app.keyboard.press('End')
  await expect(grid.getByText('task-49999', { exact: true })).toBeVisible()
  // Near the end of what is loaded the next page was asked for.
  await expect(app.getByText('100,000 rows')).toBeVisible()
  await app.keyboard.press('End')
  await expect(grid.getByText('task-99999', { exact: true })).toBeVisible()
  await expect(grid).toHaveAttribute('aria-rowcount', String(ROWS + 1))
  expect(await grid.locator('tbody tr').count()).toBeLessThan(60)

  await app.keyboard.press('Home')
  await expect(grid.getByText('task-0', { exact: true })).toBeVisible()
})

test('scrolling through 100,000 rows keeps up with the wheel', async ({ app }) => {
  test.slow()
  await app.route('**/v1/catalog/tasks?*', manyTasks)
  await app.goto('/catalog/arithmetic-word-problems')
  const grid = app.getByRole('grid', { name: 'Example tasks' })
  await grid.focus()
  await app.keyboard.press('End')
  await expect(app.getByText('100,000 rows')).toBeVisible()
  await app.keyboard.press('Home')

  const { medianMs, p95Ms, cpuMsPerFrame } = await measureScroll(app, grid.locator('xpath=..'), 120, 640)
  console.log(
    `100,000 rows: ${cpuMsPerFrame.toFixed(1)} ms of processor time a frame; median frame ${medianMs.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms`,
  )
  // A whole screen of new rows in every frame, at 30 Hz.
  expect(cpuMsPerFrame).toBeLessThan(33 * slowness())
})
