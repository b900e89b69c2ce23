import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { safeFileName } from '../../../src/main/file-name.ts'

const traversals = new URL('../../../../shared/badinput/fuzzdb/traversals-8-deep-exotic-encoding.txt', import.meta.url)

describe('suggested file name', () => {
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
