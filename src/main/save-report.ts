import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SaveDialogOptions, SaveDialogReturnValue } from 'electron'
import { safeFileName, savedTypes } from './file-name.ts'

/** Longest content taken from the page: 512 MiB, in bytes or in UTF-16 code units. */
const largestContent = 512 * 1024 * 1024

export interface SaveRequest {
  readonly suggestedName: string
  readonly data: string | Uint8Array
}

/** How it ended. A file that could not be written is an answer, not an exception, so that the page can show the reason as it is. */
export type SaveOutcome =
  | { readonly outcome: 'saved'; readonly name: string }
  | { readonly outcome: 'cancelled' }
  | { readonly outcome: 'failed'; readonly reason: string }

/** What saving needs of the desktop. */
export interface SavePorts {
  /** Folder that the dialog opens in. */
  readonly folder: () => string
  readonly ask: (options: SaveDialogOptions) => Promise<SaveDialogReturnValue>
  /** Called with the path of each file that was written. */
  readonly saved: (path: string) => void
}

/** @throws TypeError naming the invalid argument. */
export function parseSaveRequest(args: readonly unknown[]): SaveRequest {
  const [suggestedName, data] = args
  if (args.length !== 2 || typeof suggestedName !== 'string') throw new TypeError('saveFile takes a suggested name and the data.')
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) throw new TypeError('saveFile takes data as a string or as bytes.')
  if (data.length > largestContent) throw new TypeError(`saveFile takes at most ${largestContent} bytes, not ${data.length}.`)
  return { suggestedName, data }
}

/** Asks where, then writes there. The page never learns the folder. */
export async function saveFile(request: SaveRequest, ports: SavePorts): Promise<SaveOutcome> {
  const { name, extension } = safeFileName(request.suggestedName)
  const answer = await ports.ask({
    defaultPath: join(ports.folder(), name),
    filters: [{ name: savedTypes.get(extension) ?? extension, extensions: [extension] }],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  })
  if (answer.canceled || answer.filePath === '') return { outcome: 'cancelled' }
  try {
    await replaceFile(answer.filePath, request.data)
    ports.saved(answer.filePath)
    return { outcome: 'saved', name: basename(answer.filePath) }
  } catch (error) {
    return { outcome: 'failed', reason: `${basename(answer.filePath)} could not be saved: ${explain(error)}` }
  }
}

/** Writes beside the target and renames over it, so that a full disk leaves the old file as it was. */
async function replaceFile(path: string, data: string | Uint8Array): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`
  try {
    const file = await open(partial, 'wx')
    try {
      await file.writeFile(data)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space or choose another disk.',
  EDQUOT: 'your disk quota is used up. Free some space or choose another disk.',
  EACCES: 'you may not write in that folder. Choose another folder.',
  EPERM: 'you may not write in that folder. Choose another folder.',
  EROFS: 'that disk is read-only. Choose another folder.',
  ENOENT: 'that folder is no longer there. Choose another folder.',
  EBUSY: 'another program is using the file. Close it there or choose another name.',
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return causes[code] ?? error.message
}
