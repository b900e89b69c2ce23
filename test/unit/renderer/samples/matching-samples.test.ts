import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sample } from '../../../../src/contract/runs/samples.schemas.ts'
import { matchingSampleIds } from '../../../../src/renderer/samples/matching-samples.ts'

const runId = '01900000-0000-7000-8000-0000000000a1'
const id = (position: number): string => `01900000-0000-7000-8000-${position.toString(16).padStart(12, '0')}`

function sample(position: number): Sample {
  return {
    id: id(position),
    run_id: runId,
    position,
    profile_id: 'words@1:zero-shot',
    task_id: `task-${position}`,
    epoch: 1,
    status: 'failed',
    passed: null,
    scores: [],
    error: null,
    attempts: 1,
    latency_ms: null,
    input_tokens: null,
    output_tokens: null,
    cached: false,
    finished_at: null,
    input_preview: '',
    target_preview: null,
    target_choice: null,
    output_preview: null,
    notices: [],
    images: [],
    annotations: { bookmarked: false, tags: [], notes: 0 },
  }
}

describe('the samples that filters keep', () => {
  const answer = vi.fn<(address: string) => Promise<Response>>()
  /** A run with this many of them, a hundred a page. */
  const serve = (total: number): void => {
    answer.mockImplementation(async address => {
      const from = Number(new URL(address, 'http://assay.invalid').searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: Math.min(100, total - from) }, (_, index) => sample(from + index))
      const next = from + items.length
      return Response.json({ items, next_cursor: next < total ? String(next) : null, total, located_at: null, searched_by: null })
    })
  }
  beforeEach(() => vi.stubGlobal('fetch', answer))
  afterEach(() => {
    answer.mockReset()
    vi.unstubAllGlobals()
  })

  test('are read page after page, with the filters and without their order', async () => {
    serve(250)
    const ids = await matchingSampleIds(runId, { status: 'failed', q: 'x', sort: '-latency' })
    expect(ids).toEqual(Array.from({ length: 250 }, (_, position) => id(position)))
    const asked = new URL(answer.mock.calls[0]?.[0] ?? '', 'http://assay.invalid').searchParams
    expect([asked.get('status'), asked.get('q'), asked.get('sort')]).toEqual(['failed', 'x', null])
  })

  test('are refused beyond the request limit, without reading the rest', async () => {
    serve(10_000)
    await expect(matchingSampleIds(runId, {})).resolves.toHaveLength(10_000)
    answer.mockClear()
    serve(100_000)
    await expect(matchingSampleIds(runId, {})).rejects.toThrow('More than 10,000 samples')
    expect(answer).toHaveBeenCalledTimes(100)
  })
})
