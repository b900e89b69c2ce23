import type { Host } from '../service/host.ts'
import { complain } from './print.ts'
import { createFileSecretBox } from './secret-box.ts'

/** Plain Node around the service. */
export function createHeadlessHost(dataDir: string, stopping?: AbortSignal): Host {
  return {
    kind: 'headless',
    secrets: createFileSecretBox(dataDir),
    startProcess: null,
    say: complain,
    ...(stopping ? { stopping } : {}),
  }
}
