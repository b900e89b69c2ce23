import { once } from 'node:events'
import { dirname } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { prepareContent } from '../engine/content/datasets/example-content.ts'
import { checkExamples, type ExamplesCheck } from '../engine/importing/datasets/check-examples.ts'
import { type ExampleArchive, type MediaTaker, openExampleArchive } from '../engine/importing/datasets/example-archive.ts'
import { type ExampleFile, type ExampleItem, readExamples } from '../engine/importing/datasets/read-examples.ts'
import { OrderFault } from '../engine/importing/files/order-fault.ts'
import { RowError } from '../engine/importing/files/row.ts'
import type { PendingFile } from '../engine/importing/media/media-intake.ts'
import { createMediaFiles } from '../storage/media-files.ts'
import { findStoredMedia } from '../storage/reads/stored-media.ts'
import { databasePath, openReader } from './database-path.ts'
import type { FromExampleImport, ReadyExample, ToExampleImport } from './example-import-pool.ts'
import { writePending } from './write-pending.ts'

/** Examples per batch: few enough that one write does not delay other requests. */
const batchExamples = 100
const batchCharacters = 128 * 1024

interface ExampleImportTask {
  readonly file: ExampleFile
  readonly workspaceId: string
  readonly skip: number | null
  readonly port: MessagePort
}

/** Checks every row of a file, then hands its examples over ready to be written, with the media files that an archive holds of them. */
export default async function importExamples({ file: given, workspaceId, skip, port }: ExampleImportTask): Promise<void> {
  const tell = async (message: FromExampleImport): Promise<ToExampleImport> => {
    const answered = once(port, 'message')
    port.postMessage(message)
    const [answer] = await answered
    // The other end is example-import-pool.ts, which sends nothing else.
    return answer as ToExampleImport
  }
  try {
    const archive = await opened(given)
    if (archive instanceof OrderFault) return void (await tell({ kind: 'checked', check: await checkExamples(problemsOf(archive)) }))
    const { file } = archive
    if (skip === null && (await tell({ kind: 'checked', check: await checked(archive, workspaceId) })) === 'stop') return
    const files = createMediaFiles(dirname(databasePath()))
    // What is missing was told before.
    const { take } = archive.takeMedia(() => true)
    let named: PendingFile[] = []
    const handOver = async (examples: readonly ReadyExample[]): Promise<unknown> => {
      const pending = named
      named = []
      return tell({ kind: 'examples', examples, media: await writePending(pending, files) })
    }
    // The next batch is prepared while the last one is written.
    let taken: Promise<unknown> = Promise.resolve()
    let batch: ReadyExample[] = []
    let characters = 0
    let position = 0
    for await (const item of readExamples(file)) {
      if (item.kind === 'problem') throw new Error(`${file.name} changed while it was being imported: ${item.message}`)
      if (item.example === null) continue
      const { content, labels, id } = item.example
      const prepared = prepareContent(content)
      // After a stop also those of examples that were taken before it: they may have expired.
      named.push(...take(prepared.json))
      if (position++ < (skip ?? 0)) continue
      batch.push({ line: item.row.line, id, content: prepared, labels })
      characters += prepared.json.length
      if (batch.length < batchExamples && characters < batchCharacters) continue
      await taken
      taken = handOver(batch)
      batch = []
      characters = 0
    }
    await taken
    if (batch.length > 0 || named.length > 0) await handOver(batch)
  } finally {
    port.close()
  }
}

/** The rows and files of what was sent, or why it has none. */
async function opened(file: ExampleFile): Promise<ExampleArchive | OrderFault> {
  try {
    return await openExampleArchive(file)
  } catch (error) {
    if (error instanceof OrderFault) return error
    throw error
  }
}

async function* problemsOf({ problems }: OrderFault): AsyncGenerator<ExampleItem> {
  for (const { line, message } of problems) yield { kind: 'problem', row: null, line, message }
}

async function checked({ file, takeMedia }: ExampleArchive, workspaceId: string): Promise<ExamplesCheck> {
  const db = openReader()
  try {
    const media = takeMedia(digest => findStoredMedia(db, workspaceId, digest) !== null)
    const beside = new Set<string>()
    const noting = async function* (): AsyncGenerator<ExampleItem> {
      for await (const item of readExamples(file, undefined, warning => beside.add(warning)))
        yield item.kind === 'example' ? withMedia(item, media) : item
    }
    const check = await checkExamples(noting())
    return { ...check, warnings: file.mapping === null ? [] : [...beside, ...media.warnings()] }
  } finally {
    db.close()
  }
}

/** The example, or why a file that it names is not taken. */
function withMedia(item: Extract<ExampleItem, { kind: 'example' }>, { take }: MediaTaker): ExampleItem {
  try {
    if (item.example) take(JSON.stringify(item.example.content))
    return item
  } catch (error) {
    if (error instanceof RowError) return { kind: 'problem', row: item.row, line: item.row.line, message: error.message }
    throw error
  }
}
