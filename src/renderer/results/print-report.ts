import { buildWireRequest, readError } from '../../contract/client.ts'
import { send } from '../api/client.ts'
import { endpointOf } from '../api/endpoints.ts'

/**
 * Has the desktop app print the HTML report of a result version as a PDF.
 *
 * @returns whether it was saved; false where the user closed the save dialog.
 * @throws {ServiceError} where the service refuses; an Error with the reason where it cannot be printed.
 */
export async function printReport(
  desktop: NonNullable<Window['assay']>,
  runId: string,
  version: number,
  fileName: string,
): Promise<boolean> {
  const request = { params: { run_id: runId }, query: { format: 'html', version } }
  const { url, method, headers } = buildWireRequest(await endpointOf('exportRun'), request)
  const reply = await send(url, { method, headers: { ...headers, accept: '*/*' } })
  const text = await reply.text()
  if (!reply.ok) throw readError({ status: reply.status, text })
  const printed = await desktop.printPdf(text, fileName)
  if (printed.outcome === 'failed') throw new Error(printed.reason)
  return printed.outcome === 'saved'
}
