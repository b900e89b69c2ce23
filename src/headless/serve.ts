import { flushCompileCache } from 'node:module'
import type { ServiceConfig } from '../service/config.ts'
import { createService } from '../service/create-service.ts'
import { DataFolderInUseError } from '../service/lifecycle/data-folder.ts'
import { findRunningService, isOurService } from '../service/lifecycle/running-service.ts'
import { folderWarning } from '../service/storage/index.ts'
import { keepHeapSmall } from './frugal-process.ts'
import { readServeOptions } from './config.ts'
import { createHeadlessHost } from './host.ts'
import { pairCommand, signInAddress } from './pair.ts'
import { complain, print } from './print.ts'
import { messageOf } from '../lib/message-of.ts'

type Show = (address: string) => void | Promise<void>

/**
 * Serves until stopped; returns the exit code.
 * @param show opens a page that signs its browser in, by its address
 */
export async function serve(args: readonly string[], show?: Show): Promise<number> {
  keepHeapSmall()
  const stopped = Promise.withResolvers<void>()
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopping.abort()
      stopped.resolve()
    })
  try {
    const config = readServeOptions(args)
    const service = await createService(config, createHeadlessHost(config.dataDir, stopping.signal))
    const failure = await attend(service, () => announce(service, config, show), stopped.promise)
    if (failure) complain(`Assay could not start again after the restore. ${failure.message}`)
    return failure ? 1 : 0
  } catch (error) {
    complain(messageOf(error))
    if (error instanceof DataFolderInUseError) await warnOfStranger(error.dataDir)
    return 1
  }
}

/** Waits for the end of a service, which is closed however that comes. @returns why it could not start again */
export async function attend<Failure>(
  service: { readonly failed: Promise<Failure>; close(): Promise<void> },
  announcing: () => Promise<void>,
  stopped: Promise<void>,
): Promise<Failure | void> {
  try {
    await announcing()
    // Written now, so that the next start has it: a killed process writes none, and a long one forgets what only a start needs.
    setImmediate(flushCompileCache)
    return await Promise.race([stopped, service.failed])
  } finally {
    await service.close()
  }
}

async function announce(
  service: Awaited<ReturnType<typeof createService>>,
  { rendererDir, dataDir }: ServiceConfig,
  show: Show | undefined,
): Promise<void> {
  const { code } = service.createPairingCode()
  print(`Assay is ready at ${service.publicUrl}`)
  if (rendererDir && show) await show(signInAddress({ address: service.publicUrl, code }))
  else if (rendererDir)
    print(
      `To sign a browser in, open that address and enter the code ${code} within ten minutes. For another code:\n  ${pairCommand(dataDir)}`,
    )
  else print('Running without the user interface: it is not built or was disabled. The API reference is at /docs.')
  const warning = folderWarning(dataDir)
  if (warning) complain(warning)
  print(`Data: ${dataDir}. Stop with Ctrl+C.`)
}

/** The address of the running service may lead to another program by now. Silence and a certificate that is not trusted are not proof of one. */
async function warnOfStranger(dataDir: string): Promise<void> {
  const running = findRunningService(dataDir)
  if (running && !(await isOurService(running).catch(() => true)))
    complain(`What answers at ${running.base_url} is not that Assay, though: send it no key.`)
}
