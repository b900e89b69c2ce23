import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveUi } from '../../../src/service/http/ui.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => (folder = temporaryFolder()))
afterEach(() => folder.remove())

/** A build as Vite writes one: the page names a file by its hash, and the former one is gone. */
function build(hash: string): void {
  const assets = join(folder.path, 'assets')
  rmSync(assets, { recursive: true, force: true })
  mkdirSync(assets)
  writeFileSync(join(assets, `main-${hash}.js`), `"${hash}"`)
  writeFileSync(
    join(folder.path, 'index.html'),
    `<script nonce="__CSP_NONCE__" src="/assets/main-${hash}.js"></script>`.padEnd(200 + hash.length),
  )
}

test('serves the page and the files of the build that is on disk, also after another one', async () => {
  build('one')
  const app = Fastify()
  const page = await serveUi(app, folder.path)
  const fetchNamed = async () => {
    const named = /src="([^"]+)"/.exec(page('/runs')?.html ?? '')?.[1] ?? ''
    const { statusCode, body } = await app.inject(named)
    return { statusCode, body }
  }
  expect(await fetchNamed()).toEqual({ statusCode: 200, body: '"one"' })
  build('another')
  expect(await fetchNamed()).toEqual({ statusCode: 200, body: '"another"' })
  const [first, second] = [page('/'), page('/')]
  expect(first?.html).not.toContain('__CSP_NONCE__')
  expect(first?.csp).not.toBe(second?.csp)
  await app.close()
})

test('serves the last page while a build has removed it', async () => {
  build('one')
  const app = Fastify()
  const page = await serveUi(app, folder.path)
  rmSync(join(folder.path, 'index.html'))
  expect(page('/')?.html).toContain('main-one.js')
  expect(page('/v1/runs')).toBeNull()
  await app.close()
})
