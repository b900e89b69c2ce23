import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { startModelServer } from '../journeys/model-server/server.ts'
import { startMeasuredService, type MeasuredService } from '../bench/processes.ts'
import { browserArguments, findBrowser } from '../support/chromium.ts'
import { guidePictures, photographGuide } from './guide-pictures.ts'
import { photographPage } from './photograph-page.ts'
import { emptyScenes, fillService, type Scene } from './scenes.ts'
import { fillTuning } from './tuning-scenes.ts'
import { fillWorkload } from './workload-scenes.ts'

/** Photographs every page in both sizes and both schemes; exit code 1 when one of them is clipped or complains. */
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.cache/photos' },
    /** Names of scenes; `tuning*` is every name that begins so. */
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: '1280x800,1920x1080' },
    schemes: { type: 'string', default: 'light,dark' },
    /** Makes the pictures of the guide instead, from a demo. */
    guide: { type: 'boolean', default: false },
    /** As with a contrast theme of Windows. */
    'forced-colors': { type: 'boolean', default: false },
  },
})
const out = resolve(values.out)
const wanted = values.only === '' ? [] : values.only.split(',')
const isNamed = (name: string, word: string): boolean => (word.endsWith('*') ? name.startsWith(word.slice(0, -1)) : name === word)
const isWanted = ({ name }: Pick<Scene, 'name'>): boolean => wanted.length === 0 || wanted.some(word => isNamed(name, word))
const isOfTuning = (word: string): boolean => /^(tuning|monitor)/.test(word)
const isOfWorkload = (word: string): boolean => word.startsWith('filled')
const sizes = values.sizes.split(',').map(size => {
  const [width = 1280, height = 800] = size.split('x').map(Number)
  return { width, height }
})
const schemes = values.schemes.split(',').map(scheme => (scheme === 'dark' ? 'dark' : 'light'))
const entry = resolve(import.meta.dirname, '../../src/headless/cli.ts')

async function photograph(browser: Browser, { baseUrl, client }: MeasuredService, scenes: readonly Scene[]): Promise<string[]> {
  const faults: string[] = []
  const { code } = await client.call('createPairingCode', {})
  const signedIn = await browser.newContext({ baseURL: baseUrl })
  await signedIn.request.post('/v1/sessions/pair', { data: { code } })
  const stranger = await browser.newContext({ baseURL: baseUrl })
  for (const scene of scenes.filter(isWanted)) {
    const page = await (scene.signedOut ? stranger : signedIn).newPage()
    for (const size of sizes)
      for (const scheme of schemes) {
        const path = join(out, `${scene.name}.${size.width}x${size.height}.${scheme}.png`)
        const found = await photographPage(page, scene, { size, scheme, forcedColors: values['forced-colors'], path })
        const named = found.map(fault => `${scene.name} ${size.width} ${scheme}: ${fault}`)
        // A run of all pictures takes long: what it found outlasts its end.
        for (const fault of named) console.log(fault)
        faults.push(...named)
      }
    await page.close()
  }
  return faults
}

/** Every page that is wanted, empty and filled. */
async function photographScenes(browser: Browser, service: MeasuredService): Promise<string[]> {
  const slow = await startModelServer({
    answers: question => (question.length % 3 === 0 ? 'The answer is 7.' : 'I cannot tell.'),
    delayMs: 1_500,
  })
  const gone = await startModelServer({ answers: new Map() })
  await gone.close()
  try {
    const faults = await photograph(browser, service, emptyScenes)
    const { client, baseUrl } = service
    if (wanted.length === 0 || !wanted.every(word => isOfTuning(word) || isOfWorkload(word))) {
      const filled = await fillService({ client, baseUrl, slowModel: slow.baseUrl, deadModel: gone.baseUrl })
      faults.push(...(await photograph(browser, service, filled.scenes)))
      await client.call('cancelRun', { params: { run_id: filled.liveRunId } }).catch(() => undefined)
    }
    if (wanted.length === 0 || wanted.some(isOfTuning)) {
      const tuning = await fillTuning(client)
      faults.push(...(await photograph(browser, service, tuning.scenes)))
      await tuning.close()
    }
    if (wanted.length === 0 || wanted.some(isOfWorkload)) {
      const workload = await fillWorkload(service)
      faults.push(...(await photograph(browser, service, workload.scenes)))
      await workload.close()
    }
    return faults
  } finally {
    await slow.close()
  }
}

const executablePath = findBrowser()
if (!executablePath) throw new Error('Chromium is missing: run "node test/support/ensure-chromium.ts".')
const browser = await chromium.launch({ executablePath, args: [...browserArguments] })
const dataDir = mkdtempSync(join(tmpdir(), 'assay-photos-'))
try {
  const service = await startMeasuredService({ entry, dataDir, profileDir: null, withUi: true })
  try {
    mkdirSync(out, { recursive: true })
    const faults = values.guide ? await photographGuide(browser, service) : await photographScenes(browser, service)
    if (values.guide) for (const fault of faults) console.log(fault)
    console.log(`Photographs are in ${values.guide ? guidePictures : out}; ${faults.length} faults.`)
    process.exitCode = faults.length > 0 ? 1 : 0
  } finally {
    await service.stop()
  }
} finally {
  await browser.close()
  rmSync(dataDir, { recursive: true, force: true })
}
