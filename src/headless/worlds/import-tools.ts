import { ToolName } from '../../contract/worlds/policies.schemas.ts'
import { type McpServer, type NewWorld, worldLimits, type WorldTool } from '../../contract/worlds/worlds.schemas.ts'
import { connectTo } from './record-cassettes.ts'

/** Pages of a server's list that are read. */
const mostPages = 20

/** An address, or a command line without a shell. */
export function readServer(text: string): McpServer {
  return /^https?:\/\//.test(text) ? { url: text } : { command: text.trim().split(/\s+/) }
}

/**
 * The tools that a server lists, as tools of a world that replay what `assay world record` keeps. Only the server that a person named is
 * called, and none of its tools.
 * @returns what was left out by name, with the reason
 * @throws UsageError where the server does not answer
 */
export async function toolsOfServer(
  { tools: present }: Pick<NewWorld, 'tools'>,
  server: McpServer,
): Promise<{ readonly tools: readonly WorldTool[]; readonly left: readonly string[] }> {
  const client = await connectTo(server)
  try {
    const first = await client.listTools()
    const offered = [...first.tools]
    for (let cursor = first.nextCursor, page = 1; cursor !== undefined && page < mostPages; page++) {
      const next = await client.listTools({ cursor })
      offered.push(...next.tools)
      cursor = next.nextCursor
    }
    const names = new Set(present.map(({ name }) => name))
    const tools: WorldTool[] = []
    const left: string[] = []
    for (const { name, description = '', inputSchema } of offered) {
      const why = !ToolName.safeParse(name).success
        ? 'its name may hold only letters, digits, "_" and "-", at most 64'
        : names.has(name)
          ? 'the environment has a tool of this name'
          : names.size >= worldLimits.tools
            ? `an environment has at most ${worldLimits.tools} tools`
            : null
      if (why !== null) {
        left.push(`${name.slice(0, 100)}: ${why}`)
        continue
      }
      names.add(name)
      tools.push({
        name,
        description: description.slice(0, 4_000).toWellFormed(),
        parameters: { ...inputSchema },
        behavior: { kind: 'mcp', server, record: 'once', results: [] },
      })
    }
    return { tools, left }
  } finally {
    await client.close().catch(() => {})
  }
}
