import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logsOf, reportHtml, versions } from '../../support/desktop-report.ts'

const project = new URL('../../../', import.meta.url)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-report-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the desktop report', () => {
  test('is one file with text and pictures, without secrets and the name of the home folder', () => {
    const html = reportHtml(
      [{ title: 'Log', text: '<b> /home/ada/x key sk-abcdefgh123456' }],
      [{ title: 'Home, light', bytes: new Uint8Array([1, 2, 3]) }],
      '/home/ada',
    )
    expect(html).toContain('<pre>&lt;b&gt; ~/x key [removed]</pre>')
    expect(html).toContain('src="data:image/png;base64,AQID"')
    expect(html).not.toMatch(/src="http|sk-abc|ada/)
  })

  test('states what decides how the app behaves', () => {
    expect(versions().text).toMatch(/^Assay \d[\s\S]*^Electron \d+\.\d+\.\d+ \(package\)[\s\S]*^Shell: /m)
  })

  test('has the logs of the data folder, or says that there are none', async () => {
    expect(logsOf(folder)[0]?.text).toContain('has not run there')
    await mkdir(join(folder, 'logs'))
    await writeFile(join(folder, 'logs', 'service.log'), 'ready')
    expect(logsOf(folder)).toEqual([{ title: 'Log service.log', text: 'ready' }])
  })
})

describe('the checklist of the first start', () => {
  test('has twenty things, each with the systems, what to try and what must be seen', async () => {
    const text = await readFile(new URL('src/main/FIRST-START.md', project), 'utf8')
    const rows = text.split('\n').filter(line => /^\| \d+ \|/.test(line))
    expect(rows.map(row => Number(/\d+/.exec(row)?.[0]))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    for (const row of rows) {
      const [, , systems = '', trying = '', seen = ''] = row.split('|')
      expect(systems.trim()).toMatch(/^[LMW]( [LMW])*$/)
      expect(trying).toMatch(/\*\*/)
      expect(seen.trim().length).toBeGreaterThan(20)
    }
  })

  test('names scripts that exist', async () => {
    const text = await readFile(new URL('src/main/FIRST-START.md', project), 'utf8')
    const manifest: { scripts: Record<string, string> } = JSON.parse(await readFile(new URL('package.json', project), 'utf8'))
    const named = [...text.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name).filter(name => name !== 'start')
    expect(named.length).toBeGreaterThan(2)
    for (const name of named) expect(Object.keys(manifest.scripts)).toContain(name)
  })
})
