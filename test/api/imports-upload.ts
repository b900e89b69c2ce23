import { setTimeout } from 'node:timers/promises'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { patience } from '../support/machine-speed.ts'
import type { TestService } from '../support/service.ts'

const timeoutMs = 60_000 * patience()
/** Milliseconds between two questions: asking without a pause would take the processor from the thread that reads. */
const interval = 20

export interface Upload {
  readonly fields?: Readonly<Record<string, string>>
  readonly files?: readonly { readonly name: string; readonly content: string | Uint8Array<ArrayBuffer> }[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the form as a browser would and answers whatever the service does. */
export function upload(service: TestService, { fields = {}, files = [], headers = {} }: Upload): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  for (const { name, content } of files) form.append('file', new Blob([content]), name)
  return service.fetch('/v1/catalog/imports', { method: 'POST', body: form, headers })
}

/** Sends the form and follows the import to its end. */
export async function importToEnd(service: TestService, given: Upload): Promise<ImportRecord> {
  const reply = await upload(service, given)
  if (reply.status !== 202) throw new Error(`The upload was refused with ${reply.status}: ${await reply.text()}`)
  const { id }: { id: string } = await reply.json()
  return importEnd(service, id)
}

/** Asks until the import has ended. */
export async function importEnd(service: TestService, id: string): Promise<ImportRecord> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const record = await service.client.call('getImport', { params: { import_id: id } })
    if (record.status !== 'validating') return record
    await setTimeout(interval)
    if (Date.now() > deadline) throw new Error(`The import ${id} is still validating after ${timeoutMs} ms.`)
  }
}

/** Tasks of GSM8K's form. */
export function gsm8kLines(count: number): string {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({ question: `What is ${i} plus ${i}?`, answer: `${i} + ${i} = ${2 * i}\n#### ${2 * i}` }),
  ).join('\n')
}
