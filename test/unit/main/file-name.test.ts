import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { api } from '../../../src/contract/api.ts'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { mediaEndings } from '../../../src/contract/media/media.schemas.ts'
import { safeFileName } from '../../../src/main/file-name.ts'

const traversals = new URL('../../../../shared/badinput/fuzzdb/traversals-8-deep-exotic-encoding.txt', import.meta.url)

const endings: Readonly<Record<string, string>> = {
  ...mediaEndings,
  'application/json': 'json',
  'application/ld+json': 'croissant.json',
  'application/vnd.apache.parquet': 'parquet',
  'application/vnd.in-toto+dsse': 'dsse.json',
  'application/x-ndjson': 'jsonl',
  'application/xml': 'junit.xml',
  'application/zip': 'zip',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
}

describe('suggested file name', () => {
  test('can be that of every file that the service answers', () => {
    const files = Object.values<Endpoint>(api).flatMap(endpoint => (endpoint.kind === 'file' ? (endpoint.files ?? []) : []))
    expect(files.length).toBeGreaterThan(20)
    for (const type of files) expect(safeFileName(`file.${endings[type] ?? type}`).name).toBe(`file.${endings[type] ?? type}`)
  })

  test.each([
    ['report.html', 'report.html'],
    ['Ergebnis für GSM8K.csv', 'Ergebnis für GSM8K.csv'],
    ['../../etc/cron.d/x.txt', 'x.txt'],
    ['C:\\Windows\\x.json', 'x.json'],
    ['a:b?c*|"<>.json', 'abc.json'],
    ['report\u202elmth.exe.pdf', 'reportlmth.exe.pdf'],
    ['line\nbreak\u0000.csv', 'linebreak.csv'],
    ['  ..hidden..  .csv', 'hidden.csv'],
    ['.html', 'assay.html'],
    ['NUL.txt', 'assay-NUL.txt'],
    ['com1.csv', 'assay-com1.csv'],
    ['UPPER.HTML', 'UPPER.html'],
    [`${'x'.repeat(300)}.zip`, `${'x'.repeat(80)}.zip`],
  ])('%j becomes %j', (suggested, name) => {
    expect(safeFileName(suggested).name).toBe(name)
  })

  test.each(['run.sh', 'run.desktop', 'run.exe', 'run.html.lnk', 'noextension', '', 'trailing.', 'dir.html/evil'])(
    '%j is refused',
    suggested => {
      expect(() => safeFileName(suggested)).toThrow('must end in one of .html')
    },
  )

  test.skipIf(!existsSync(traversals))('never keeps a folder (needs the shared folder of bad inputs beside the checkout)', () => {
    const lines = readFileSync(traversals, 'utf8').split('\n').filter(Boolean)
    expect(lines.length).toBeGreaterThan(100)
    for (const line of lines) expect(safeFileName(`${line}.txt`).name).not.toMatch(/[/\\]|^\./)
  })
})
