import { importMachine } from '../../src/contract/catalog/import.machine.ts'
import type { ImportRecord } from '../../src/contract/catalog/imports.schemas.ts'
import { isTerminal } from '../../src/contract/machine.ts'
import { profileId } from '../support/runs.ts'
import type { MeasuredService } from './processes.ts'

/** As many as the benchmark that everybody measures with has. */
export const tasks = 1319
/** Calls at a time. */
export const connections = 32

/** Imports word problems of the usual length; answers the profile that asks them. */
export async function importTasks({ client, baseUrl }: MeasuredService): Promise<string> {
  const form = new FormData()
  form.set('recipe', 'gsm8k')
  const lines = Array.from({ length: tasks }, (_, i) =>
    JSON.stringify({ question: problem(i), answer: `They start with ${12 + i}, lose 3 and find 4 more.\n#### ${13 + i}` }),
  )
  form.append('file', new Blob([lines.join('\n')]), 'test.jsonl')
  const reply = await fetch(`${baseUrl}/v1/catalog/imports`, { method: 'POST', body: form, headers: client.headers })
  if (reply.status !== 202) throw new Error(`The import was refused: ${await reply.text()}`)
  const { id } = (await reply.json()) as ImportRecord // the reply of an accepted import is its record
  for (;;) {
    const record = await client.call('getImport', { params: { import_id: id } })
    if (record.status === 'imported') return profileId(client, 'gsm8k', 'zero-shot')
    if (isTerminal(importMachine, record.status)) throw new Error(`The import ended ${record.status}.`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function problem(i: number): string {
  return (
    `Nora keeps ${12 + i} marbles in a tin under her bed. On the way to school she loses 3 of them through a hole in her pocket, ` +
    `and in the yard she finds 4 that somebody else has left behind. Her brother counts them twice in the evening and says that one ` +
    `of them is not round. How many marbles does Nora have when she puts them back into the tin?`
  )
}

export async function registerConnection({ client }: MeasuredService, baseUrl: string): Promise<string> {
  const { id } = await client.call('createConnection', {
    body: { name: 'bench', base_url: baseUrl, model: 'replay', limits: { max_concurrency: connections } },
  })
  const checked = await client.call('checkConnection', { params: { connection_id: id } })
  if (checked.status !== 'ready') throw new Error(`The model server failed its check: ${checked.last_check?.message}`)
  return id
}
