import { createService } from '../service/create-service.ts'
import { folderWarning } from '../service/storage/index.ts'
import { keepHeapSmall } from './frugal-process.ts'
import { readServeOptions } from './config.ts'
import { createHeadlessHost } from './host.ts'

/** Serves until it is told to stop; answers the exit code. */
export async function serve(args: readonly string[]): Promise<number> {
  keepHeapSmall()
  const stopped = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.resolve())
  try {
    const config = readServeOptions(args)
    const service = await createService(config, createHeadlessHost(config.dataDir))
    const { code } = service.createPairingCode()
    console.log(`Assay is ready at ${service.baseUrl}`)
    if (config.rendererDir)
      console.log(
        `To sign a browser in, open that address and enter the code ${code} (within ten minutes; "npm run pair" prints a new one).`,
      )
    else console.log('Without the user interface: it is not built or was not asked for. The API reference is at /docs.')
    const warning = folderWarning(config.dataDir)
    if (warning) console.warn(warning)
    console.log(`Data: ${config.dataDir}. Stop with Ctrl+C.`)
    const failure = await Promise.race([stopped.promise, service.failed])
    await service.close()
    if (failure) console.error(`Assay could not start again after the restore. ${failure.message}`)
    return failure ? 1 : 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 1
  }
}
