import type { Host } from '../service/host.ts'
import { createFileSecretBox } from './secret-box.ts'

/** Plain Node around the service. */
export function createHeadlessHost(dataDir: string): Host {
  return { kind: 'headless', secrets: createFileSecretBox(dataDir), startProcess: null }
}
