import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { type McpServer, type NewWorld, worldLimits, type WorldTool } from '../../contract/worlds/worlds.schemas.ts'
import { cannedResults, type RecordedCalls } from '../../engine/importing/traces/canned-results.ts'
import { createPrivateReplacer } from '../../engine/importing/traces/replace-private.ts'
import type { RecordedCall } from '../../engine/importing/traces/recorded-task.ts'
import { failureReason } from '../describe-failure.ts'
import { UsageError } from '../exit-codes.ts'

type McpTool = WorldTool & { readonly behavior: Extract<WorldTool['behavior'], { kind: 'mcp' }> }

interface RecordedCassette {
  readonly name: string
  readonly results: McpTool['behavior']['results']
  readonly calls: number
}

const Content = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))

/** What a person approves, and what `--approve` takes: an address, or a command line. */
function serverName(server: McpServer): string {
  return 'url' in server ? server.url : server.command.join(' ')
}

/** Tools that are recorded now: those without a cassette, and those that are recorded again each time. */
function toolsToRecord({ tools }: Pick<NewWorld, 'tools'>): McpTool[] {
  return tools
    .filter(isMcp)
    .filter(({ behavior: { record, results } }) => record === 'always' || (record === 'once' && results.length === 0))
}

/**
 * Makes the calls of the tasks' references to the servers of their tools, task by task, and keeps what they answer. Secrets and contact
 * details in it are replaced.
 * @param approved names of the servers that may be started or called
 * @throws UsageError where a server is not approved, cannot be reached, or lacks a tool
 */
export async function recordCassettes(
  world: Pick<NewWorld, 'tools' | 'tasks'>,
  approved: readonly string[],
): Promise<{
  readonly cassettes: readonly RecordedCassette[]
  readonly replaced: { readonly secrets: number; readonly personal: number }
}> {
  const tools = toolsToRecord(world)
  const refused = [...new Set(tools.map(({ behavior }) => serverName(behavior.server)))].filter(name => !approved.includes(name))
  if (refused.length > 0)
    throw new UsageError(
      `Recording starts or calls ${refused.length === 1 ? 'this server' : 'these servers'}. Approve with:\n${refused.map(name => `  --approve ${JSON.stringify(name)}`).join('\n')}`,
    )
  const { replace, counts } = createPrivateReplacer()
  const clients = new Map<string, Client>()
  try {
    for (const { name, behavior } of tools) {
      const server = serverName(behavior.server)
      const client = clients.get(server) ?? (await connectTo(behavior.server))
      clients.set(server, client)
      const { tools: offered } = await client.listTools()
      if (!offered.some(tool => tool.name === name))
        throw new UsageError(`${server} has no tool "${name}". It has ${offered.map(tool => tool.name).join(', ')}.`)
    }
    const recorded: RecordedCalls[] = []
    for (const { id, reference } of world.tasks) {
      const calls: RecordedCall[] = []
      for (const { name, arguments: given } of reference?.calls ?? []) {
        const tool = tools.find(each => each.name === name)
        const client = tool && clients.get(serverName(tool.behavior.server))
        // The arguments stay those of the tasks, so that their references replay.
        if (client) calls.push({ ...replace(await callOf(client, name, given)), arguments: given })
      }
      recorded.push({ id, calls })
    }
    const cassettes = tools.map(({ name }) => ({
      name,
      results: cannedResults(name, recorded),
      calls: recorded.reduce((sum, { calls }) => sum + calls.filter(call => call.name === name).length, 0),
    }))
    return { cassettes, replaced: counts() }
  } finally {
    await Promise.allSettled([...clients.values()].map(client => client.close()))
  }
}

function isMcp(tool: WorldTool): tool is McpTool {
  return tool.behavior.kind === 'mcp'
}

/** @throws UsageError where it does not answer */
export async function connectTo(server: McpServer): Promise<Client> {
  const client = new Client({ name: 'assay', version: '1' })
  try {
    if ('url' in server)
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { redirect: 'error' } }))
    else {
      const [command = '', ...args] = server.command
      await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
    }
    return client
  } catch (error) {
    throw new UsageError(`The MCP server ${serverName(server)} did not answer: ${failureReason(error)}`)
  }
}

/** @throws UsageError where the call itself fails, or its result is too long; an error that the tool answers is recorded */
async function callOf(client: Client, name: string, given: RecordedCall['arguments']): Promise<RecordedCall> {
  const answered = await client.callTool({ name, arguments: { ...given } }).catch((error: unknown) => {
    throw new UsageError(`The tool ${name} gave no result for ${JSON.stringify(given)}: ${failureReason(error)}`)
  })
  const content = Content.safeParse(answered.content).data ?? []
  const result = content.map(({ type, text }) => text ?? `(${type})`).join('\n')
  if (result.length > worldLimits.result)
    throw new UsageError(
      `The tool ${name} answered ${result.length} characters to ${JSON.stringify(given)}; a result holds at most ${worldLimits.result}. Call it with narrower arguments.`,
    )
  const isError = answered.isError === true
  return { name, arguments: given, result: isError ? result.slice(0, worldLimits.error) : result, isError }
}
