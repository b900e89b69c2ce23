import type { Page } from '@playwright/test'
import type { Sample } from '../../../src/contract/runs/samples.schemas.ts'

/** Answers the listing of samples with `total` rows made after `first`: more than a test could have run. */
export async function serveManySamples(page: Page, first: Sample, total: number): Promise<void> {
  await page.route('**/samples?*', route => {
    const query = new URL(route.request().url()).searchParams
    const from = Number(query.get('offset') ?? 0)
    const limit = Number(query.get('limit') ?? 50)
    const located = query.get('locate')
    const located_at = located === null ? null : Number.parseInt(located.slice(24), 16)
    const items = Array.from({ length: Math.min(limit, total - from) }, (_, index) => nth(first, from + index))
    const next = from + items.length
    return route.fulfill({ json: { items, next_cursor: next < total ? String(next) : null, total, located_at, searched_by: null } })
  })
}

function nth(first: Sample, position: number): Sample {
  return { ...first, id: `01900000-0000-7000-8000-${position.toString(16).padStart(12, '0')}`, position, task_id: `task-${position + 1}` }
}
