import { setTimeout } from 'node:timers/promises'
import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import type { TestService } from './service.ts'

export interface ImportFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** Sends files as the import form does; answers the record as it stands when the import has ended. */
export async function importFiles(
  service: Pick<TestService, 'client' | 'fetch'>,
  fields: Readonly<Record<string, string>>,
  files: readonly ImportFile[],
): Promise<ImportRecord> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const { name, content } of files)
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  const reply = await service.fetch('/v1/catalog/imports', { method: 'POST', body: form })
  const text = await reply.text()
  if (reply.status !== 202) throw new Error(`The import was refused with ${reply.status}: ${text}`)
  const { id } = JSON.parse(text) as ImportRecord // the reply of an accepted import is its record
  for (;;) {
    const record = await service.client.call('getImport', { params: { import_id: id } })
    if (isTerminal(importMachine, record.status)) return record
    // Asking without a pause would take the processor from the thread that reads.
    await setTimeout(20)
  }
}
