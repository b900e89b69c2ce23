import { setTimeout } from 'node:timers/promises'
import type { AnswerImport } from '../../src/contract/answers/answers.schemas.ts'
import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import type { ImportFile } from './imports.ts'
import type { TestService } from './service.ts'

export function sendAnswers(
  service: Pick<TestService, 'client' | 'fetch'>,
  fields: Readonly<Record<string, string>>,
  files: readonly ImportFile[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const { name, content } of files)
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name)
  return service.fetch('/v1/runs/imports', { method: 'POST', body: form, headers })
}

/** Sends outputs as the page does; answers the record as it stands when the import has ended. */
export async function importAnswers(
  service: Pick<TestService, 'client' | 'fetch'>,
  fields: Readonly<Record<string, string>>,
  files: readonly ImportFile[],
): Promise<AnswerImport> {
  const reply = await sendAnswers(service, fields, files)
  const text = await reply.text()
  if (reply.status !== 202) throw new Error(`The import was refused with ${reply.status}: ${text}`)
  const { id } = JSON.parse(text) as AnswerImport // the reply of an accepted import is its record
  return answersEnd(service, id)
}

export async function answersEnd(service: Pick<TestService, 'client' | 'fetch'>, id: string): Promise<AnswerImport> {
  for (;;) {
    const record = await service.client.call('getAnswerImport', { params: { answer_import_id: id } })
    if (isTerminal(importMachine, record.status)) return record
    // Asking without a pause would take the processor from the thread that reads.
    await setTimeout(20)
  }
}
