import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DatasetImport } from '../../src/contract/datasets/dataset-imports.schemas.ts'
import type { TestClient, TestService } from './service.ts'

/** The human test set of PandaLM, with three annotators; not in the repository. */
export const pandalm = fileURLToPath(new URL('../../../shared/data/judges/pandalm/testset-v1.json', import.meta.url))
export const pandalmIsMissing = !existsSync(pandalm)

export const pandalmMapping = {
  input: ['instruction', 'input'],
  output_a: 'response1',
  output_b: 'response2',
  id: 'idx',
  labels: { annotator1: 'annotator1', annotator2: 'annotator2', annotator3: 'annotator3' },
  label_values: { '0': 'tie', '1': 'a', '2': 'b' },
}

export interface FileOfExamples {
  readonly name: string
  readonly content: string | Buffer
  readonly fields: Readonly<Record<string, string>>
}

/** Sends a file of examples, as a browser would. */
export function sendExamples(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  client: Pick<TestClient, 'headers'>,
  datasetId: string,
  { name, content, fields }: FileOfExamples,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name)
  return fetch(`${baseUrl}/v1/datasets/${datasetId}/imports`, { method: 'POST', headers: { ...client.headers, ...headers }, body: form })
}

/** The import when it has ended. */
export async function importEnded(client: TestClient, datasetId: string, importId: string): Promise<DatasetImport> {
  for (;;) {
    const record = await client.call('getDatasetImport', { params: { dataset_id: datasetId, import_id: importId } })
    if (record.finished_at !== null) return record
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

export async function importExamples(service: TestService, datasetId: string, file: FileOfExamples): Promise<DatasetImport> {
  const reply = await sendExamples(service, service.client, datasetId, file)
  const body = (await reply.json()) as { id: string } // the record's shape is checked when it is read
  if (reply.status !== 202) throw new Error(JSON.stringify(body))
  return importEnded(service.client, datasetId, body.id)
}

export function readPandalm(): Buffer {
  return readFileSync(pandalm)
}
