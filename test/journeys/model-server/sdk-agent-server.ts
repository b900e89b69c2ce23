import { createServer } from 'node:http'
import { AgentCard, TaskState } from '@a2a-js/sdk'
import { AgentEvent, type AgentExecutor, DefaultRequestHandler, type ExecutionEventBus, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express, { type RequestHandler } from 'express'
import { listen, type RunningServer } from './listen.ts'

export interface SdkAgentServer extends RunningServer {
  readonly cardUrl: string
  /** Tasks that were cancelled, in order. */
  cancelled(): readonly string[]
  /** Requests that the agent was asked with, by HTTP method and path or by method of JSON-RPC. */
  operations(): readonly string[]
}

const cardPath = '/.well-known/agent-card.json'

/** Text parts and status as the SDK has them. */
const textPart = (text: string) => ({ content: { $case: 'text' as const, value: text }, mediaType: '', filename: '', metadata: undefined })
const statusOf = (state: TaskState) => ({ state, message: undefined, timestamp: '2026-11-22T00:00:00Z' })

/**
 * An agent on the official SDK's own server. It answers what follows the word in a message: `say …` by a message, `work …` by a task that it
 * tells of in steps, `fail` by a failed task, `hang` by one that it works on until it is cancelled, `throw` by breaking.
 */
export async function startSdkAgentServer(binding: 'JSONRPC' | 'HTTP+JSON', key: string): Promise<SdkAgentServer> {
  const cancelled: string[] = []
  const operations: string[] = []
  const app = express()
  const server = createServer(app)
  const running = await listen(server, 0)
  const card = AgentCard.fromJSON({
    name: 'Agent of the SDK',
    description: 'Answers what it is told to.',
    version: '1.3',
    supportedInterfaces: [
      { url: `${running.baseUrl}/${binding === 'JSONRPC' ? 'rpc' : 'rest'}`, protocolBinding: binding, protocolVersion: '1.0' },
    ],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  })
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), scriptedExecutor(cancelled))
  const admit: RequestHandler = (request, response, next) => {
    if (request.headers.authorization === `Bearer ${key}`) next()
    else response.status(401).json({ error: 'who are you' })
  }
  const note: RequestHandler = (request, _response, next) => {
    operations.push(
      binding === 'JSONRPC' ? String(request.body?.method) : `${request.method} ${request.path.replace(/\/tasks\/[^:]+/, '/tasks/*')}`,
    )
    next()
  }
  app.use(cardPath, agentCardHandler({ agentCardProvider: handler }))
  const handlers = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication }
  app.use('/rpc', admit, express.json(), note, jsonRpcHandler(handlers))
  app.use('/rest', admit, note, restHandler(handlers))
  return { ...running, cardUrl: `${running.baseUrl}${cardPath}`, cancelled: () => cancelled, operations: () => operations }
}

function scriptedExecutor(cancelled: string[]): AgentExecutor {
  const hanging = new Map<string, () => void>()
  return {
    execute: async ({ userMessage, taskId, contextId }, bus) => {
      const asked = userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('')
      const [word, ...rest] = asked.split(' ')
      const text = rest.join(' ')
      if (word === 'throw') throw new Error('the agent is broken')
      if (word === 'say') {
        bus.publish(
          AgentEvent.message({
            messageId: 'm',
            contextId,
            taskId: '',
            role: 2,
            parts: [textPart(text)],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          }),
        )
        return
      }
      const step = (state: TaskState) =>
        bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: statusOf(state), metadata: undefined }))
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: statusOf(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [],
          metadata: undefined,
        }),
      )
      step(TaskState.TASK_STATE_WORKING)
      if (word === 'hang') await new Promise<void>(resolve => hanging.set(taskId, resolve))
      else if (word === 'fail') step(TaskState.TASK_STATE_FAILED)
      else {
        tellInPieces(bus, { taskId, contextId }, text)
        step(TaskState.TASK_STATE_COMPLETED)
      }
    },
    cancelTask: async (taskId, bus) => {
      cancelled.push(taskId)
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId: '', status: statusOf(TaskState.TASK_STATE_CANCELED), metadata: undefined }))
      hanging.get(taskId)?.()
    },
  }
}

/** One artifact in two pieces. */
function tellInPieces(bus: ExecutionEventBus, of: { taskId: string; contextId: string }, text: string): void {
  const middle = Math.ceil(text.length / 2)
  for (const [i, piece] of [text.slice(0, middle), text.slice(middle)].entries()) {
    bus.publish(
      AgentEvent.artifactUpdate({
        ...of,
        artifact: { artifactId: 'answer', name: '', description: '', parts: [textPart(piece)], metadata: undefined, extensions: [] },
        append: i > 0,
        lastChunk: i === 1,
        metadata: undefined,
      }),
    )
  }
}
