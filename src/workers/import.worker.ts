import type { MediaFile } from '../contract/media/media.schemas.ts'
import { promptText } from '../contract/messages/message-text.ts'
import { dirname } from 'node:path'
import { once } from 'node:events'
import type { Task } from '../engine/tasks/task.ts'
import type { MessagePort } from 'node:worker_threads'
import { facetNames } from '../engine/tasks/definition.ts'
import { type PromptRecipe, PromptTooLargeError, renderPrompt } from '../engine/execution/samples/render-prompt.ts'
import { importedTasks } from '../engine/importing/files/check-import.ts'
import { checkOrder, refusedImport } from '../engine/importing/files/check-order.ts'
import type { ImportOrder, OrderedFile } from '../engine/importing/files/import-order.ts'
import { openOrder } from '../engine/importing/files/open-order.ts'
import type { StoredPart } from '../engine/importing/files/open-recipe.ts'
import { MediaIntake } from '../engine/importing/media/media-intake.ts'
import { describeReadLog, withMisplaced } from '../engine/importing/known-files.ts'
import { formatReaders } from '../engine/importing/formats.ts'
import { namesFiles, openMediaFolder } from '../engine/importing/media/open-media-folder.ts'
import { OrderFault } from '../engine/importing/files/order-fault.ts'
import { findRecipe } from '../engine/importing/recipes/recipes.ts'
import { unpackParts } from '../engine/importing/recipes/unpack-parts.ts'
import { createMediaFiles } from '../storage/media-files.ts'
import { findStoredMedia } from '../storage/reads/stored-media.ts'
import { readVersionTasks } from '../storage/reads/version-tasks.ts'
import { databasePath, openReader } from './database-path.ts'
import type { FromImport, ToImport, UnpackedFile } from './import-pool.ts'
import { openRemoteMedia } from './remote-order.ts'
import { type TaskRow, toTaskRow } from './task-row.ts'
import { writePending } from './write-pending.ts'

/** Tasks per batch: few enough that one write does not delay other requests. */
const batchTasks = 64
const batchBytes = 256 * 1024

interface ImportTask {
  readonly order: ImportOrder
  readonly port: MessagePort
}

/** What an order would bring, and what its files are where they are not what was chosen: of files without a fault, logs alone. */
async function look(order: ImportOrder) {
  const looked = await lookAsChosen(order)
  const { what, files } = order
  const chosen = what.kind === 'own' ? what.format : 'recipe'
  const check = await withMisplaced(looked.check, files, chosen)
  const misplaced = check.problemCount === 0 ? await describeReadLog(files, chosen) : null
  return { ...looked, check: misplaced === null ? check : { ...check, warnings: [misplaced, ...check.warnings] } }
}

/** What an order would bring; nothing where its files say that it cannot be. */
async function lookAsChosen({ what, files, workspaceId, remote }: ImportOrder) {
  try {
    const recipe = what.kind === 'recipe' ? findRecipe(what.recipe) : null
    const unpack = what.kind === 'own' ? formatReaders[what.format].unpack : undefined
    const unpacked = recipe ? await unpackParts(recipe, files) : ((await unpack?.(files)) ?? { files, warnings: [] })
    const base = what.kind === 'recipe' ? what.base : undefined
    const folder =
      what.kind === 'own' && namesFiles(what.format)
        ? await openMediaFolder(what.format, unpacked.files)
        : { files: unpacked.files, find: () => null, similar: () => null, paths: [] }
    const intake = new MediaIntake({
      find: folder.find,
      similar: folder.similar,
      stored: digest => (workspaceId === undefined ? null : storedMedia(workspaceId, digest)),
      remote: openRemoteMedia(remote, what.kind === 'own' && what.leaveOut === true),
    })
    intake.keep({ files: previewFiles, bytes: previewBytes })
    const opened = openOrder({ what, files: folder.files }, base === undefined ? undefined : storedPartsOf(base), {
      intake,
      paths: folder.paths,
    })
    const looked = await checkOrder({ ...opened, warnings: [...unpacked.warnings, ...(opened.warnings ?? [])] })
    return {
      sources: opened.sources,
      intake: opened.media ?? null,
      unpacked: unpacked.files.flatMap(describeUnpacked).slice(0, listedFiles),
      ...withPrompts(looked),
    }
  } catch (error) {
    if (!(error instanceof OrderFault)) throw error
    return { sources: [], intake: null, unpacked: [], check: refusedImport(error), definition: null }
  }
}

/** Media of the first rows, which a preview shows. */
const previewFiles = 100
const previewBytes = 32 * 1024 * 1024
/** Bytes of media that wait to be written. */
const pendingBytes = 32 * 1024 * 1024
/** Batches that wait for them. */
const mostWaiting = 32
const all = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

/** A file that the workspace has already. */
function storedMedia(workspaceId: string, digest: string): MediaFile | null {
  const db = openReader()
  try {
    return findStoredMedia(db, workspaceId, digest)
  } finally {
    db.close()
  }
}

const promptCharacters = 8000
/** Files of an archive that the record lists. */
const listedFiles = 500

/** The preview with what the model is sent for each task, where there is one way of asking. */
function withPrompts({ check, definition }: Awaited<ReturnType<typeof checkOrder>>): Awaited<ReturnType<typeof checkOrder>> {
  const [profile, other] = definition?.profiles ?? []
  if (!profile || other || profile.environment || profile.loglikelihood) return { check: { ...check, previewTasks: [] }, definition }
  const recipe = { ...profile, shots: check.shots.slice(0, profile.shots) }
  const preview = check.preview.map((row, i) => {
    const task = check.previewTasks[i]
    const text = task ? sentText(recipe, task) : ''
    return { ...row, prompt: task ? (text.length > promptCharacters ? `${text.slice(0, promptCharacters).toWellFormed()}…` : text) : null }
  })
  return { check: { ...check, preview, previewTasks: [] }, definition }
}

/** What the model is sent; why nothing can be where the template is out of proportion, which a quote refuses. */
function sentText(recipe: PromptRecipe, task: Task): string {
  try {
    return promptText(renderPrompt(recipe, task))
  } catch (error) {
    if (error instanceof PromptTooLargeError) return error.message
    throw error
  }
}

function describeUnpacked({ role, name, content }: OrderedFile): UnpackedFile[] {
  return content ? [{ role, name, bytes: content.bytes.length, sha256: content.sha256 }] : []
}

/** The tasks of a version that is there already, by part. */
function storedPartsOf(versionNo: number): StoredPart {
  const db = openReader()
  try {
    const tasks = readVersionTasks(db, versionNo)
    return (by, part) => tasks.filter(({ metadata }) => metadata[by] === part)
  } finally {
    db.close()
  }
}

/** Reads and checks files, says what is in them, and hands the tasks over ready to be written if that is wanted. */
export default async function importFiles({ order, port }: ImportTask): Promise<void> {
  const ask = async (message: FromImport, transfer: ArrayBuffer[] = []): Promise<ToImport> => {
    const answered = once(port, 'message')
    port.postMessage(message, transfer)
    const [answer] = await answered
    // The other end is import-pool.ts, which sends nothing else.
    return answer as ToImport
  }
  try {
    const { sources, intake, unpacked, check, definition } = await look(order)
    const files = createMediaFiles(dirname(databasePath()))
    const shown = new Set(check.preview.flatMap(({ media: parts }) => parts.map(({ media: digest }) => digest)))
    const previewed = definition === null ? [] : await writePending(intake?.takePending() ?? [], files)
    const media = previewed.filter(({ digest }) => shown.has(digest))
    const wanted = intake?.remote?.wanted() ?? []
    if ((await ask({ kind: 'checked', check, unpacked, definition, media, wanted })) !== 'go on' || definition === null) return
    intake?.keep(all)
    const taken: MediaFile[] = []
    const store = async (): Promise<void> => {
      taken.push(...(await writePending(intake?.takePending() ?? [], files)))
    }
    const facets = facetNames(definition)
    let rows: TaskRow[] = []
    let memory: ArrayBuffer[] = []
    let bytes = 0
    // Batches that wait until what they show is written: to flush a folder costs as much for one file as for a hundred.
    let waiting: { readonly rows: TaskRow[]; readonly memory: ArrayBuffer[] }[] = []
    const handOver = async (): Promise<void> => {
      await store()
      for (const [i, batch] of waiting.entries()) {
        const media = taken.splice(0, Math.ceil(taken.length / (waiting.length - i)))
        await ask({ kind: 'rows', rows: batch.rows, media }, batch.memory)
      }
      waiting = []
    }
    const endBatch = async (): Promise<void> => {
      if (rows.length > 0) waiting.push({ rows, memory })
      rows = []
      memory = []
      bytes = 0
      const pending = intake?.pendingBytes ?? 0
      if (pending === 0 || pending >= pendingBytes || waiting.length >= mostWaiting) await handOver()
    }
    for await (const task of importedTasks(sources)) {
      intake?.remote?.requireNone(task)
      const row = toTaskRow(task, facets)
      // In a separate buffer, which is transferred instead of copied.
      const content = new Uint8Array(row.content)
      rows.push({ ...row, content })
      memory.push(content.buffer)
      bytes += content.length
      if (rows.length >= batchTasks || bytes >= batchBytes || (intake?.pendingBytes ?? 0) >= pendingBytes) await endBatch()
    }
    await endBatch()
    await handOver()
  } finally {
    port.close()
  }
}
