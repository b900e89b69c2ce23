import { once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { prepareContent } from '../engine/content/datasets/example-content.ts'
import { checkExamples } from '../engine/importing/datasets/check-examples.ts'
import { type ExampleFile, readExamples } from '../engine/importing/datasets/read-examples.ts'
import type { FromExampleImport, ReadyExample, ToExampleImport } from './example-import-pool.ts'

/** Examples per batch: few enough that one write does not delay other requests. */
const batchExamples = 100
const batchCharacters = 128 * 1024

interface ExampleImportTask {
  readonly file: ExampleFile
  readonly skip: number | null
  readonly port: MessagePort
}

/** Checks every row of a file, then hands its examples over ready to be written. */
export default async function importExamples({ file, skip, port }: ExampleImportTask): Promise<void> {
  const tell = async (message: FromExampleImport): Promise<ToExampleImport> => {
    const answered = once(port, 'message')
    port.postMessage(message)
    const [answer] = await answered
    // The other end is example-import-pool.ts, which sends nothing else.
    return answer as ToExampleImport
  }
  try {
    if (skip === null && (await tell({ kind: 'checked', check: await checkExamples(readExamples(file)) })) === 'stop') return
    // The next batch is prepared while the last one is written.
    let taken: Promise<unknown> = Promise.resolve()
    let batch: ReadyExample[] = []
    let characters = 0
    let position = 0
    for await (const item of readExamples(file)) {
      if (item.kind === 'problem') throw new Error(`${file.name} changed while it was being imported: ${item.message}`)
      if (item.example === null || position++ < (skip ?? 0)) continue
      const { content, labels, id } = item.example
      const prepared = prepareContent(content)
      batch.push({ line: item.row.line, id, content: prepared, labels })
      characters += prepared.json.length
      if (batch.length < batchExamples && characters < batchCharacters) continue
      await taken
      taken = tell({ kind: 'examples', examples: batch })
      batch = []
      characters = 0
    }
    await taken
    if (batch.length > 0) await tell({ kind: 'examples', examples: batch })
  } finally {
    port.close()
  }
}
