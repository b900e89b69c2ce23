import { main } from '../../src/headless/main.ts'
import type { Ended } from './assay.ts'
import { takePrinted } from './printed.ts'

let isRunning = false

/**
 * The command line in this process, a tenth of the time of a process of its own (`assay`), for all that is not about processes. One at a
 * time: what it prints is taken from the streams of the process.
 */
export async function assayHere(args: readonly string[]): Promise<Ended> {
  if (isRunning) throw new Error('Another command runs in this process; await it first.')
  isRunning = true
  const printed = { out: '', err: '' }
  const streams = takePrinted((stream, text) => {
    printed[stream] += text
  })
  const summary = process.env['GITHUB_STEP_SUMMARY']
  process.env['GITHUB_STEP_SUMMARY'] = ''
  try {
    const code = await main(args)
    return { code, ...printed }
  } finally {
    if (summary === undefined) delete process.env['GITHUB_STEP_SUMMARY']
    else process.env['GITHUB_STEP_SUMMARY'] = summary
    streams.restore()
    isRunning = false
  }
}
