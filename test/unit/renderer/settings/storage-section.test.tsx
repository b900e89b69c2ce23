import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { StorageUse } from '../../../../src/contract/storage/storage.schemas.ts'
import { CacheText, CompactionText, Sizes } from '../../../../src/renderer/settings/storage-section.tsx'

const use: StorageUse = {
  database_bytes: 1_500_000_000,
  reusable_bytes: 200_000_000,
  exports_bytes: 0,
  disk_free_bytes: 42_000_000_000,
  runs: 1,
  samples: 13_190,
  cache: { answers: 0, oldest_at: null },
  rows_to_delete: 0,
  examination: null,
  examining: false,
  examination_job_id: null,
  folder_warning: null,
  lost_changes: null,
  compaction: null,
}
const started_at = '2026-11-20T09:00:00.000Z'

function compaction(change: StorageUse['compaction'], mayAdminister = true): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <CompactionText use={{ ...use, compaction: change }} mayAdminister={mayAdminister} />
    </MantineProvider>,
  )
}

describe('the sizes of the stored data', () => {
  test('are in units that can be read, and name what is being deleted only while something is', () => {
    const markup = renderToStaticMarkup(<Sizes use={use} />)
    for (const text of ['1.5 GB', '200 MB', '0 B', '42 GB', '1 run with 13,190 samples']) expect(markup).toContain(text)
    expect(markup).not.toContain('Being deleted')
    expect(renderToStaticMarkup(<Sizes use={{ ...use, rows_to_delete: 1_319 }} />)).toContain('1,319 samples of deleted runs')
  })
})

describe('what is said about the cache', () => {
  test('is how many answers it holds, and since when', () => {
    const text = (cache: StorageUse['cache']) =>
      renderToStaticMarkup(
        <MantineProvider>
          <CacheText cache={cache} />
        </MantineProvider>,
      )
    expect(text({ answers: 0, oldest_at: null })).toContain('Holds no answers')
    expect(text({ answers: 1_319, oldest_at: started_at })).toMatch(/Holds 1,319 answers .*the oldest from /)
  })
})

describe('what is said about compaction', () => {
  test('is what it does, how far it is, and what it gave back', () => {
    expect(compaction(null)).toContain('Returns free space to the disk')
    expect(
      compaction({ job_id: '01a1fbee-850d-7273-9247-5973fbdcf678', started_at, finished_at: null, returned_bytes: 5_000_000 }),
    ).toContain('5.0 MB freed so far')
    expect(
      compaction({ job_id: '01a1fbee-850d-7273-9247-5973fbdcf678', started_at, finished_at: started_at, returned_bytes: 200_000_000 }),
    ).toContain('200 MB freed')
    expect(
      compaction({ job_id: '01a1fbee-850d-7273-9247-5973fbdcf678', started_at, finished_at: started_at, returned_bytes: 0 }),
    ).toContain('Nothing to free')
  })

  test('names the required role to everybody else', () => {
    expect(compaction(null, false)).toContain('An owner or admin can do this.')
  })
})
