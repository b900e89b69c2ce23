import { vi } from 'vitest'
import { main } from '../../src/headless/main.ts'
import type { Ended } from './assay.ts'

let isRunning = false

/**
 * The command line in this process, a tenth of the time of a process of its own (`assay`), for all that is not about processes. One at a
 * time: what it prints is taken from the streams of the process.
 */
export async function assayHere(args: readonly string[]): Promise<Ended> {
  if (isRunning) throw new Error('Another command runs in this process; await it first.')
  isRunning = true
  const printed = { out: '', err: '' }
  const take = (stream: 'out' | 'err') => (chunk: string | Uint8Array, encoding?: unknown, written?: unknown) => {
    printed[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    const done = typeof encoding === 'function' ? encoding : written
    if (typeof done === 'function') done()
    return true
  }
  const line = (stream: 'out' | 'err') => (text: unknown) => {
    printed[stream] += `${String(text)}\n`
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(take('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(take('err')),
    vi.spyOn(console, 'log').mockImplementation(line('out')),
    vi.spyOn(console, 'error').mockImplementation(line('err')),
  ]
  const summary = process.env['GITHUB_STEP_SUMMARY']
  process.env['GITHUB_STEP_SUMMARY'] = ''
  try {
    const code = await main(args)
    return { code, ...printed }
  } finally {
    if (summary === undefined) delete process.env['GITHUB_STEP_SUMMARY']
    else process.env['GITHUB_STEP_SUMMARY'] = summary
    for (const spy of spies) spy.mockRestore()
    isRunning = false
  }
}
