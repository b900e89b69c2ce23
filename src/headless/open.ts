import openBrowser from 'open'
import { findRunningService } from '../service/lifecycle/running-service.ts'
import { readServeOptions } from './config.ts'
import { newPairing, signInAddress } from './pair.ts'
import { complain, print } from './print.ts'
import { serve } from './serve.ts'

/** Opens the browser signed in: at the service that runs on the data folder, or at one that is started here and runs until stopped. */
export async function open(args: readonly string[]): Promise<number> {
  const isShown = !args.includes('--no-open')
  const serveArgs = args.filter(argument => argument !== '--no-open')
  const show = (address: string) => showPage(address, isShown)
  const { dataDir } = readServeOptions(serveArgs)
  if (!findRunningService(dataDir)) return serve(serveArgs, show)
  const pairing = await newPairing(dataDir)
  if (typeof pairing === 'string') {
    complain(pairing)
    return 1
  }
  await show(signInAddress(pairing))
  return 0
}

async function showPage(address: string, isShown: boolean): Promise<void> {
  const said = `${address} (signs one browser in, within ten minutes)`
  if (!isShown) return print(`Open ${said}`)
  try {
    const browser = await openBrowser(address)
    browser.once('error', () => print(`No browser could be started. Open ${said}`))
    print(`Opening ${address.slice(0, address.indexOf('/#'))} in your browser. If nothing opens: ${said}`)
  } catch {
    print(`No browser could be started. Open ${said}`)
  }
}
