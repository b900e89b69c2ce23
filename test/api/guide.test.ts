import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../journeys/model-server/server.ts'
import { program } from '../support/program.ts'
import { startTestService, type TestService } from '../support/service.ts'

const folder = fileURLToPath(new URL('../../resources/docs/guide', import.meta.url))
const names = readdirSync(folder)
  .filter(file => file.endsWith('.md'))
  .map(file => file.replace(/\.md$/, ''))
const pictures = readdirSync(join(folder, 'pictures'))
const textOf = (name: string) => readFileSync(join(folder, `${name}.md`), 'utf8')
const anchorsOf = (text: string) =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(/[^a-z]+/g, '-'))

/** Lines of a page, as a window of 800 pixels shows 40 of them. */
const twoScreens = 80

describe('each page of the guide', () => {
  test.each(names)('%s is short, and its links lead somewhere', name => {
    const text = textOf(name)
    expect(text).toMatch(/^# [A-Z]/)
    if (name !== 'glossary') expect(text.split('\n').length).toBeLessThan(twoScreens)
    for (const [, target = ''] of text.matchAll(/(?<!!\[[^\]]*)\]\(([^)]+)\)/g)) {
      const [page = '', anchor] = target.split('#')
      expect(names, target).toContain(page)
      if (anchor !== undefined) expect(anchorsOf(textOf(page)), target).toContain(anchor)
    }
  })

  test('shows pictures that exist in both schemes, as empty pages do', () => {
    const pages = globSync(fileURLToPath(new URL('../../src/renderer/**/*.tsx', import.meta.url))).map(file => readFileSync(file, 'utf8'))
    const shown = [
      ...names.flatMap(name => [...textOf(name).matchAll(/!\[[^\]]+\]\(pictures\/([\w-]+)\.light\.webp\)/g)].map(([, picture]) => picture)),
      ...pages.flatMap(text => [...text.matchAll(/\bpicture="([\w-]+)"/g)].map(([, picture]) => picture)),
    ]
    expect(shown.length).toBeGreaterThan(10)
    expect(pictures.toSorted()).toEqual([...new Set(shown)].flatMap(name => [`${name}.dark.webp`, `${name}.light.webp`]).toSorted())
  })
})

describe.skipIf(process.platform === 'win32')('the commands of the guide, in a POSIX shell', () => {
  let service: TestService
  let models: ModelServer
  let place: string

  beforeAll(async () => {
    service = await startTestService()
    models = await startModelServer({ answers: () => '1' })
    place = await mkdtemp(join(tmpdir(), 'assay-guide-'))
    const command = join(place, 'assay')
    await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
    await chmod(command, 0o755)
  })
  afterAll(async () => {
    await service.close()
    await models.close()
    await rm(place, { recursive: true, force: true })
  })

  test.each(names.filter(name => textOf(name).includes('```sh')))('%s', async name => {
    const blocks = [...textOf(name).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
    const script = blocks.join('\n').replaceAll('http://127.0.0.1:8080/v1', models.baseUrl)
    const env = { ...process.env, PATH: `${place}:${process.env['PATH']}`, ASSAY_DATA_DIR: service.dataDir }
    // Rejects where a command ends with another code than 0.
    await promisify(execFile)('sh', ['-e', '-c', script], { cwd: place, env })
    expect(script).toContain('assay ')
  })

  test('is served as it is written', async () => {
    const list = await (await fetch(`${service.baseUrl}/docs/guide`)).text()
    for (const name of names) {
      expect(list).toContain(`/docs/guide/${name})`)
      expect(await (await fetch(`${service.baseUrl}/docs/guide/${name}`)).text()).toBe(textOf(name))
    }
    const [picture = ''] = pictures
    const served = await fetch(`${service.baseUrl}/docs/guide/pictures/${picture}`)
    expect(served.headers.get('content-type')).toBe('image/webp')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(readFileSync(join(folder, 'pictures', picture)))
  })
})
