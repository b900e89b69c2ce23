import { areaOf } from '../../../contract/tags.ts'
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { Api, OperationId } from '../../../contract/api.ts'
import { type AnyRequest, buildWireRequest, type WireRequest } from '../../../contract/client.ts'
import type { Endpoint, Request } from '../../../contract/endpoint.ts'
import { endpointOf } from '../../api/endpoints.ts'
import { IconCode } from '../pictures/icons.tsx'
import { notifyCopied } from './notify.ts'

interface RequestMenuProps<Id extends OperationId> {
  readonly operation: Id
  readonly request: Request<Api[Id]>
}

/** "Copy as curl" and "open in API reference" for a request that the page makes. Keys are named by variables, never copied. */
export function RequestMenu<Id extends OperationId>({ operation, request }: RequestMenuProps<Id>) {
  // Read as the menu opens and not at the click: a browser lets only the click itself write to the clipboard.
  const [endpoint, setEndpoint] = useState<Endpoint | 'loading' | 'failed'>('loading')
  const load = (): void => {
    setEndpoint('loading')
    endpointOf(operation).then(setEndpoint, () => setEndpoint('failed'))
  }
  return (
    <Menu onOpen={load}>
      <Menu.Target>
        <Tooltip label="This request">
          <ActionIcon variant="default" size={32} aria-label="This request as API call">
            <IconCode size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {endpoint === 'loading' ? (
          <Menu.Label>Loading…</Menu.Label>
        ) : endpoint === 'failed' ? (
          <>
            <Menu.Label>Couldn’t load the request</Menu.Label>
            <Menu.Item closeMenuOnClick={false} onClick={load}>
              Try again
            </Menu.Item>
          </>
        ) : (
          <>
            <Menu.Item
              onClick={() => {
                // The operation's own types were checked where the request was written.
                const wire = buildWireRequest(endpoint, request as AnyRequest)
                void navigator.clipboard.writeText(asCurl(wire, globalThis.location.origin))
                notifyCopied('curl command')
              }}
            >
              Copy as curl
            </Menu.Item>
            <Menu.Item component="a" href={referenceAddress(operation, endpoint)} target="_blank" rel="noopener">
              Open in API reference
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Address of an operation in the reader at /docs. */
export function referenceAddress(operation: OperationId, { tag }: Pick<Endpoint, 'tag'>): string {
  return `/docs/areas/${areaOf(tag)}#${operation}`
}

/** The request for a POSIX shell; key and workspace come from variables, so that no secret lands in a clipboard or history. */
export function asCurl({ method, url, headers, body }: WireRequest, origin: string): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + url)}`,
    '-H "Authorization: Bearer $ASSAY_API_KEY"',
    '-H "X-Workspace-ID: $ASSAY_WORKSPACE_ID"',
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quote(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
