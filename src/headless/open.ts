import { rmSync } from 'node:fs'
import openBrowser from 'open'
import { findRunningService } from '../service/lifecycle/running-service.ts'
import { readServeOptions } from './config.ts'
import { newPairing, signInAddress } from './pair.ts'
import { complain, print } from './print.ts'
import { writeRedirectFile } from './redirect-file.ts'
import { serve } from './serve.ts'

/** Opens the browser signed in: at the service that runs on the data folder, or at one that is started here and runs until stopped. */
export async function open(args: readonly string[]): Promise<number> {
  const isShown = !args.includes('--no-open')
  const serveArgs = args.filter(argument => argument !== '--no-open')
  const { dataDir } = readServeOptions(serveArgs)
  if (!findRunningService(dataDir)) {
    let page: string | null = null
    const show = async (address: string) => void (page = await showPage(dataDir, address, isShown))
    try {
      return await serve(serveArgs, show)
    } finally {
      if (page !== null) rmSync(page, { force: true })
    }
  }
  const pairing = await newPairing(dataDir)
  if (typeof pairing === 'string') {
    complain(pairing)
    return 1
  }
  await showPage(dataDir, signInAddress(pairing), isShown)
  return 0
}

/** @returns path of the page that the browser was started with, whose code is void after ten minutes; null where none was started */
async function showPage(dataDir: string, address: string, isShown: boolean): Promise<string | null> {
  const said = `${address} (signs one browser in, within ten minutes)`
  if (!isShown) {
    print(`Open ${said}`)
    return null
  }
  let page: string | null = null
  try {
    page = await writeRedirectFile(dataDir, address)
    const browser = await openBrowser(page)
    browser.once('error', () => print(`No browser could be started. Open ${said}`))
    print(`Opening ${address.slice(0, address.indexOf('/#'))} in your browser. If nothing opens: ${said}`)
    return page
  } catch {
    // Its folder may be full, or another user's.
    if (page !== null) rmSync(page, { force: true })
    print(`No browser could be started. Open ${said}`)
    return null
  }
}
