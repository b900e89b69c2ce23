import { mkdirSync } from 'node:fs'
import { pagePaths } from '../photos/page-paths.ts'
import { photographPage } from '../photos/photograph-page.ts'
import type { Scene } from '../photos/scenes.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { ownerClient } from './support/owner-client.ts'
import { expect, test } from './support/workstation.ts'

const sizes = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const

test('the photographed pages are those of the routes', () => {
  expect(pagePaths()).toEqual(expect.arrayContaining(['runs', 'compare/new', 'settings/workers', 'tuning/monitors/new']))
  expect(pagePaths().filter(path => path.includes(':'))).toEqual([])
})

test('a sample of the photographs is clipped nowhere and complains of nothing', async ({ app, workstation }) => {
  const client = ownerClient(workstation)
  const { id: quoteId } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
  })
  const { id } = await runToEnd(client, workstation.baseUrl, (await submit(client, quoteId)).id)
  const scenes: readonly Scene[] = [
    { name: 'home', path: '/' },
    { name: 'run', path: `/runs/${id}` },
    { name: 'samples', path: `/runs/${id}/samples` },
    { name: 'quote-new', path: '/quotes/new' },
    { name: 'runs-failing', path: '/runs', failing: /\/v1\/runs(\?|$)/ },
  ]
  const folder = test.info().outputPath('photos')
  mkdirSync(folder, { recursive: true })
  const faults: string[] = []
  for (const [index, scene] of scenes.entries())
    for (const size of sizes) {
      // Each page in both schemes, each scheme in both sizes, at half the pictures.
      const scheme = (index + sizes.indexOf(size)) % 2 === 0 ? 'light' : 'dark'
      const found = await photographPage(app, scene, { size, scheme, path: `${folder}/${scene.name}.${size.width}.${scheme}.png` })
      faults.push(...found.map(fault => `${scene.name} ${size.width} ${scheme}: ${fault}`))
    }
  expect(faults).toEqual([])
})
