import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentProxies } from '../environment-proxies.ts'
import { createService } from '../../service/create-service.ts'
import { exitCodes } from '../exit-codes.ts'
import { createHeadlessHost } from '../host.ts'

export interface EphemeralService {
  readonly dataDir: string
  close(): Promise<void>
}

/**
 * Starts a service for the duration of one command, on a free port, without the UI. Its data is in the given folder, or in a temporary one
 * that is deleted afterwards.
 * @throws DataFolderInUseError where a service already runs on the folder
 */
export async function startEphemeral(given: string | undefined): Promise<EphemeralService> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'assay-'))
  const forget = () => {
    if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const config = {
      dataDir,
      port: 0,
      portMayMove: false,
      rendererDir: null,
      logLevel: 'error',
      proxies: environmentProxies(),
    } as const
    const service = await createService(config, createHeadlessHost(dataDir))
    const close = async () => {
      await service.close()
      forget()
    }
    // A run that is interrupted is stored as such; with a folder of its own the next command resumes it.
    const interrupted = () => void close().finally(() => process.exit(exitCodes.error))
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
    return {
      dataDir,
      close: async () => {
        process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
        await close()
      },
    }
  } catch (error) {
    forget()
    throw error
  }
}
