import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ImportRecord } from '../../../../src/contract/catalog/imports.schemas.ts'
import { ImportOutcome } from '../../../../src/renderer/catalog/import-outcome.tsx'
import type { ImportAttempt } from '../../../../src/renderer/catalog/imports.queries.ts'

const shown = (allowed: boolean): string => {
  const record = {
    status: 'failed',
    errors: [{ file: 'tasks.jsonl', line: 3, message: 'The line is no JSON.' }],
    error_count: 1,
    remote_media: [{ host: 'pictures.example', files: 2, allowed, fetched: 0 }],
  } as unknown as ImportRecord // the parts that are read
  const attempt = { record, busy: false, error: null } as unknown as ImportAttempt // likewise
  return renderToStaticMarkup(
    <MantineProvider>
      <ImportOutcome attempt={attempt} blocked={null} onImport={() => undefined} />
    </MantineProvider>,
  )
}

test('says of a failed import that downloads are kept only where there could be any', () => {
  expect(shown(true)).toContain('are kept for a day')
  expect(shown(false)).toContain('Nothing was imported.')
  expect(shown(false)).not.toContain('are kept for a day')
})

test('has no errors under the id of those of the preview, which is on the page too', () => {
  expect(shown(false)).toContain('The line is no JSON.')
  expect(shown(false)).not.toContain('id="import-errors"')
})
