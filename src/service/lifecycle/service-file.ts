import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replacePrivateFile } from './replace-private-file.ts'

/** How local agents, the command line and tests find the service; anyone who can read it has the owner's permissions. */
export const ServiceFile = z.object({
  base_url: z.url(),
  workspace_id: z.uuid(),
  api_key: z.string(),
  session_token: z.string(),
  pid: z.int(),
  version: z.string(),
  started_at: z.iso.datetime(),
  /** Tells the process from a later one with its number, whatever the clock says. Null where the system does not tell. */
  process_start: z.string().nullable().default(null),
})
export type ServiceFile = z.infer<typeof ServiceFile>

const pathIn = (dataDir: string) => join(dataDir, 'service.json')

export function writeServiceFile(dataDir: string, content: ServiceFile): void {
  replacePrivateFile(pathIn(dataDir), `${JSON.stringify(content, null, 2)}\n`)
}

/** Null where there is none or it cannot be read. */
export function readServiceFile(dataDir: string): ServiceFile | null {
  try {
    return ServiceFile.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')))
  } catch {
    return null
  }
}

export function removeServiceFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}
