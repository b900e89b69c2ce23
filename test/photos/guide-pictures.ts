import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import type { MeasuredService } from '../bench/processes.ts'
import { clientFor, type TestClient } from '../support/client.ts'
import { jobEnd } from '../support/judging.ts'
import { photographPage } from './photograph-page.ts'

export const guidePictures = fileURLToPath(new URL('../../resources/docs/guide/pictures/', import.meta.url))
/** Small enough that its text is read in a column of the guide, and drawn finer than a screen needs. */
const size = { width: 1080, height: 680 }
const scale = 1.5

/** Address of each page of the demo that the guide and empty pages show. */
async function addresses(demo: TestClient): Promise<Readonly<Record<string, string>>> {
  const [run, comparison, dataset, calibration, decision, session, trace, pack] = await Promise.all([
    demo.call('listRuns', { query: { limit: 100 } }).then(({ items }) => items.find(({ name }) => name.startsWith('Model B'))?.id),
    demo.call('listComparisons', { query: {} }).then(({ items }) => items[0]?.id),
    demo.call('listDatasets', { query: {} }).then(({ items }) => items[0]?.id),
    demo.call('listCalibrations', { query: {} }).then(({ items }) => items[0]?.id),
    demo.call('listReleaseDecisions', { query: {} }).then(({ items }) => items[0]?.id),
    demo.call('listTuneSessions', { query: {} }).then(({ items }) => items[0]?.id),
    demo.call('listTraces', { query: { limit: 100 } }).then(({ items }) => items.find(({ error_count: errors }) => errors > 0)?.id),
    demo.call('listPackages', { query: {} }).then(({ items }) => items[0]?.id),
  ])
  return {
    quote: '/quotes/new',
    runs: '/runs',
    result: `/runs/${run}`,
    samples: `/runs/${run}/samples`,
    leaderboard: '/leaderboard',
    compare: `/compare/${comparison}`,
    dataset: `/datasets/${dataset}`,
    judge: `/evaluators/calibrations/${calibration}`,
    release: `/releases/${decision}`,
    tuning: `/tuning/${session}`,
    traces: '/traces',
    trace: `/traces/${trace}`,
    package: `/creator/packages/${pack}`,
    schedules: '/schedules',
    monitors: '/tuning/monitors',
    coverage: '/releases/coverage',
    issues: '/releases/issues',
    evidence: '/releases/evidence',
    drafts: '/evaluators/drafts',
    namespaces: '/creator/namespaces',
    'private-profiles': '/creator/profiles',
    webhooks: '/workspace/webhooks',
    'remote-scorers': '/evaluators/remote-scorers',
    feedback: '/feedback',
  }
}

/** The demo itself sends nothing to anybody, and tells nobody of defects. */
async function fillTheRest(demo: TestClient): Promise<void> {
  await demo.call('createWebhook', {
    body: { name: 'Team chat', url: 'https://chat.example/hooks/assay', events: ['run.ended', 'monitor.alarm'] },
  })
  await demo.call('createRemoteScorer', { body: { name: 'House style', url: 'https://scorer.example/score' } })
  const summary = 'The table of a run cannot be copied as Markdown.'
  await demo.call('sendFeedback', { body: { kind: 'missing_feature', severity: 'nice_to_have', summary } })
}

/** A screenshot as WebP, which Chromium itself writes. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const bytes = await page.evaluate(
    async data => {
      const image = await createImageBitmap(await (await fetch(data)).blob())
      const canvas = new OffscreenCanvas(image.width, image.height)
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: 0.75 })).arrayBuffer())]
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return Buffer.from(bytes)
}

/** Makes the pictures of the guide from a demo that is filled for it. @returns what is wrong with the photographed pages */
export async function photographGuide(browser: Browser, service: MeasuredService): Promise<string[]> {
  const { workspace, job_id } = await service.client.call('startDemo', {})
  const demo = clientFor(service.baseUrl, service.sessionToken, workspace.id)
  await jobEnd(demo, job_id)
  await fillTheRest(demo)
  mkdirSync(guidePictures, { recursive: true })
  const { code } = await service.client.call('createPairingCode', {})
  const context = await browser.newContext({ baseURL: service.baseUrl, deviceScaleFactor: scale })
  await context.request.post('/v1/sessions/pair', { data: { code } })
  await context.addInitScript(id => localStorage.setItem('assay.workspace', id), workspace.id)
  const faults: string[] = []
  const blank = await context.newPage()
  for (const [name, path] of Object.entries(await addresses(demo)))
    for (const scheme of ['light', 'dark'] as const) {
      const page = await context.newPage()
      const found = await photographPage(page, { name, path }, { size, scheme, path: null })
      faults.push(...found.map(fault => `guide ${name} ${scheme}: ${fault}`))
      const { x, y } = (await page.locator('main').boundingBox()) ?? { x: 0, y: 0 }
      const clip = { x, y, width: size.width - x, height: size.height - y }
      writeFileSync(`${guidePictures}${name}.${scheme}.webp`, await toWebp(blank, await page.screenshot({ clip })))
      await page.close()
    }
  await context.close()
  return faults
}
