import { createServer } from 'node:http'
import { z } from 'zod'
import type { Calibration, Draft } from '../../src/contract/evaluators/calibrations.schemas.ts'
import type { NewExample } from '../../src/contract/datasets/examples.schemas.ts'
import type { EvaluatorSnapshot } from '../../src/contract/evaluators/evaluators.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { listen, type RunningServer } from '../journeys/model-server/listen.ts'
import type { TestClient, TestService } from './service.ts'

const Chat = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
})
export type JudgeChat = z.infer<typeof Chat>

/** What a scripted judge answers: text, an HTTP status, a body in place of JSON, null for a cut connection. */
export type JudgeReply =
  | string
  | { readonly body: string }
  | { readonly status: number; readonly headers?: Record<string, string> }
  | { readonly tool: object }
  | null

export interface ScriptedJudge extends RunningServer {
  /** Every question so far, in the order they came. */
  readonly asked: JudgeChat[]
}

/** A chat-completions server that judges. The check's question is answered apart. */
export async function startJudge(reply: (chat: JudgeChat, n: number) => JudgeReply | Promise<JudgeReply>): Promise<ScriptedJudge> {
  const asked: JudgeChat[] = []
  const server = createServer((request, response) => {
    // It lists no models.
    if (request.method === 'GET') return void response.writeHead(404).end()
    const answer = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk))
      const chat = Chat.parse(JSON.parse(Buffer.concat(chunks).toString()))
      const send = (message: object) => {
        const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }], usage }))
      }
      if (chat.messages.at(-1)?.content === 'Reply with the single word: ready') return send({ content: 'ready' })
      if (chat.tools?.[0]?.function.name === 'report_color')
        return send({
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'report_color', arguments: '{"color":"blue"}' } }],
        })
      asked.push(chat)
      const said = await reply(chat, asked.length)
      if (said === null) return request.socket.destroy()
      if (typeof said === 'string') return send({ content: said })
      if ('body' in said) return response.writeHead(200, { 'content-type': 'text/html' }).end(said.body)
      if ('tool' in said)
        return send({
          content: null,
          tool_calls: [{ id: 'v', type: 'function', function: { name: 'give_verdict', arguments: JSON.stringify(said.tool) } }],
        })
      response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers })
      response.end(JSON.stringify({ error: { message: 'scripted' } }))
    }
    void answer()
  })
  const running = await listen(server, 0)
  return { ...running, asked, baseUrl: `${running.baseUrl}/v1` }
}

export const rates = { input_microusd_per_million: '1000000', output_microusd_per_million: '2000000' }

/** A checked connection to a judge. */
export async function connectJudge(
  client: TestClient,
  judge: Pick<RunningServer, 'baseUrl'>,
  more: {
    readonly priced?: boolean
    readonly model?: string
    readonly probes?: ('tools' | 'loglikelihood')[]
    readonly concurrency?: number
  } = {},
): Promise<string> {
  const { id } = await client.call('createConnection', {
    body: {
      name: 'judge',
      base_url: judge.baseUrl,
      model: more.model ?? 'judge',
      limits: { max_concurrency: more.concurrency ?? 16 },
      ...(more.priced && { rates }),
      ...(more.probes && { probes: more.probes }),
    },
  })
  await client.call('checkConnection', { params: { connection_id: id } })
  return id
}

/** What lies between the n-th pair of boundary lines of a question: the graded material in the order shown. */
export function materialOf(chat: JudgeChat): string[] {
  const content = chat.messages.find(({ role }) => role === 'user')?.content ?? ''
  return [...content.matchAll(/<<<([0-9a-f]{32})\n([\s\S]*?)\n\1>>>/g)].map(match => match[2] ?? '')
}

export interface LabeledExample {
  readonly input: NewExample['input']
  readonly output: string | { readonly a: string; readonly b: string }
  readonly expected?: string
  readonly label?: string | number | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A frozen version of approved examples, labeled by the owner. Approval takes a shortcut past the thousand reviews. */
export async function labeledVersion(
  service: Pick<TestService, 'client' | 'dataDir'>,
  dataset: { task: 'answer' | 'classify' | 'pairwise' | 'score'; labels?: string[]; score_range?: [number, number] },
  examples: readonly LabeledExample[],
): Promise<{ readonly datasetId: string; readonly versionId: string; readonly exampleIds: string[] }> {
  const { client } = service
  const { id } = await client.call('createDataset', { body: { name: 'Labeled', ...dataset } })
  const exampleIds: string[] = []
  for (let from = 0; from < examples.length; from += 500) {
    const batch = examples.slice(from, from + 500).map(({ output, metadata, ...example }, i) => ({
      ...example,
      output: typeof output === 'string' ? output : { ...output },
      // Some examples repeat on purpose; they are no duplicates here.
      metadata: { ...metadata, n: from + i },
    }))
    const { items } = await client.call('addExamples', { params: { dataset_id: id }, body: { examples: batch } })
    exampleIds.push(...items.map(item => item.example_id))
  }
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.prepare("update dataset_examples set review_state = 'approved' where dataset_no = (select no from datasets where id = ?)").run(id)
  db.close()
  const version = await client.call('createDatasetVersion', { params: { dataset_id: id }, body: {} })
  return { datasetId: id, versionId: version.id, exampleIds }
}

/** A saved judge, pass or fail unless changed. */
export function saveJudge(
  client: TestClient,
  connectionId: string,
  change: Record<string, unknown> = {},
  name = 'A judge',
): Promise<EvaluatorSnapshot> {
  const definition = {
    kind: 'model_graded',
    judges: [{ model: { kind: 'connection', connection_id: connectionId } }],
    mode: 'classification',
    instructions: 'Is the output right?',
    menu: [
      { value: 'pass', meaning: 'It is right.', passes: true },
      { value: 'fail', meaning: 'It is wrong.', passes: false },
    ],
    ...change,
  }
  // A definition in parts, which the service parses.
  return client.call('createEvaluator', { body: { name, definition: definition as never } })
}

/** Waits for a job by asking, as clients do. */
export async function jobEnd(client: TestClient, jobId: string): Promise<void> {
  for (;;) {
    const { state } = await client.call('getJob', { params: { job_id: jobId } })
    if (state !== 'queued' && state !== 'running') return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

export async function calibrated(
  client: TestClient,
  body: { evaluator_version_id: string; dataset_version_id: string } & Record<string, unknown>,
): Promise<Calibration> {
  const { id, job_id } = await client.call('createCalibration', { body })
  await jobEnd(client, job_id)
  return client.call('getCalibration', { params: { calibration_id: id } })
}

export async function drafted(
  client: TestClient,
  body: { dataset_version_id: string; mode: 'heuristic' | 'model' } & Record<string, unknown>,
): Promise<Draft> {
  const { id, job_id } = await client.call('createEvaluatorDraft', { body })
  await jobEnd(client, job_id)
  return client.call('getEvaluatorDraft', { params: { draft_id: id } })
}

/** A frozen version of labeled examples, approved one by one as a person does. */
export async function frozenVersion(
  client: TestClient,
  count = 25,
): Promise<{ readonly datasetId: string; readonly versionId: string; readonly exampleId: string }> {
  const { id } = await client.call('createDataset', { body: { name: 'Frozen', task: 'answer' } })
  const params = { dataset_id: id }
  const examples = Array.from({ length: count }, (_, i) => ({
    input: `#${i}`,
    output: i % 3 ? 'yes' : 'no',
    expected: 'yes',
    label: i % 3 ? 'pass' : 'fail',
  }))
  const { items } = await client.call('addExamples', { params, body: { examples } })
  for (const { example_id } of items)
    await client.call('reviewExample', { params: { ...params, example_id }, body: { revision: 1, decision: 'approve' } })
  const { id: versionId } = await client.call('createDatasetVersion', { params, body: {} })
  return { datasetId: id, versionId, exampleId: items[0]?.example_id ?? '' }
}
