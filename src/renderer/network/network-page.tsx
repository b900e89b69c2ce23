import type { NetworkHost } from '../../contract/network/network.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useNetworkHosts } from './network.queries.ts'

const columns: readonly Column<NetworkHost>[] = [
  {
    id: 'origin',
    title: 'Server',
    width: 260,
    grow: true,
    rowHeader: true,
    cell: host => <UntrustedText text={host.origin} layout="inline" />,
  },
  { id: 'requests', title: 'Requests', width: 90, align: 'end', cell: host => <span className="num">{formatCount(host.requests)}</span> },
  { id: 'sent', title: 'Sent', width: 90, align: 'end', cell: host => <span className="num">{formatBytes(host.sent_bytes)}</span> },
  {
    id: 'received',
    title: 'Received',
    width: 90,
    align: 'end',
    cell: host => <span className="num">{formatBytes(host.received_bytes)}</span>,
  },
  {
    id: 'proxy',
    title: 'Proxy',
    width: 180,
    cell: host => (host.proxy === null ? <span className="quiet">none</span> : <UntrustedText text={host.proxy} layout="inline" />),
  },
  { id: 'first', title: 'First', width: 120, cell: host => <RelativeTime at={host.first_at} /> },
  { id: 'last', title: 'Last', width: 120, cell: host => <RelativeTime at={host.last_at} /> },
]

/** Every server that the workspace's work has talked to, so that people can check where data goes. */
export function NetworkPage() {
  const query = useNetworkHosts()
  return (
    <Page layout="fill">
      <PageHeader
        title="Network log"
        parent={{ title: 'Settings', to: '/settings' }}
        description="Every server that Assay contacted for this workspace, with bytes sent and received. Assay sends no telemetry."
        actions={<RequestMenu operation="listNetworkHosts" request={{}} />}
      />
      <PagedTable<NetworkHost>
        query={query}
        failure="Couldn’t load the network log"
        id="network"
        label="Servers"
        columns={columns}
        rowId={host => host.origin}
        narrowed={false}
        empty={<EmptyState title="No servers contacted yet">Servers contacted by checks and runs appear here.</EmptyState>}
      />
    </Page>
  )
}
