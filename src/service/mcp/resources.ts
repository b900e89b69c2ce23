import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate, type Variables } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { ServiceError } from '../../contract/client.ts'
import { describeResults } from './describe-results.ts'
import type { Assay } from './tool.ts'

const RunVariables = z.object({ id: z.uuid() })

/** A run's results as JSON and its report as Markdown, for clients that attach resources. */
export function addResources(server: McpServer, assay: Assay): void {
  server.registerResource(
    'run results',
    new ResourceTemplate('assay://runs/{id}/results', { list: undefined }),
    { description: 'Figures of a run with n and interval.', mimeType: 'application/json' },
    (uri, variables) =>
      reading(variables, async id => {
        const results = await assay.call('getRunResults', { params: { run_id: id } })
        return contents(uri, 'application/json', JSON.stringify(describeResults(results, assay, { allMetrics: true, labels: true })))
      }),
  )
  server.registerResource(
    'run report',
    new ResourceTemplate('assay://runs/{id}/report', { list: undefined }),
    { description: 'Summary of a run in Markdown.', mimeType: 'text/markdown' },
    (uri, variables) => reading(variables, async id => contents(uri, 'text/markdown', await assay.send(`/v1/runs/${id}/exports/markdown`))),
  )
}

async function reading<Found>(variables: Variables, read: (id: string) => Promise<Found>): Promise<Found> {
  const parsed = RunVariables.safeParse(variables)
  if (!parsed.success) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The id of a run is a UUID.')
  try {
    return await read(parsed.data.id)
  } catch (error) {
    if (error instanceof ServiceError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${error.code}: ${error.message}`)
    throw error
  }
}

function contents(uri: URL, mimeType: string, text: string) {
  return { contents: [{ uri: uri.href, mimeType, text }] }
}
