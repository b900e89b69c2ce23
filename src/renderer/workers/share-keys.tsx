import { Button, Modal } from '@mantine/core'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import type { Worker } from '../../contract/workers/workers.schemas.ts'
import { useConnections } from '../connections/models.queries.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useShareKey } from './workers.queries.ts'

/** Whether a worker makes the calls of connections, so that it may need their keys. */
export function takesCalls({ labels, status }: Worker): boolean {
  return (status === 'active' || status === 'draining') && labels.some(label => label.startsWith('model.'))
}

/** For owners: which connections' keys a worker has. */
export function ShareKeys({ worker, onClose }: { readonly worker: Worker; readonly onClose: () => void }) {
  const connections = useConnections()
  const taken = (connections.data ?? []).filter(({ id }) => worker.labels.includes(`model.${id}`))
  return (
    <Modal opened onClose={onClose} title={`Keys of ${worker.name}`} size="lg">
      <div className="stack">
        <p>
          A worker sends the key that it was started with. A key that you share is encrypted for this worker alone, is sent only to the
          connection’s server, and is forgotten when the worker stops.
        </p>
        {connections.isError ? (
          <ErrorState error={connections.error} title="Couldn’t load connections" onRetry={() => void connections.refetch()} />
        ) : null}
        {connections.data && taken.length === 0 ? <p>None of its labels names a connection of this workspace.</p> : null}
        {taken.map(connection => (
          <SharedKey key={connection.id} worker={worker} connection={connection} />
        ))}
      </div>
    </Modal>
  )
}

function SharedKey({ worker, connection }: { readonly worker: Worker; readonly connection: Connection }) {
  const change = useShareKey()
  const shared = worker.shared_keys.find(key => key.connection_id === connection.id)
  const hasSecret = connection.has_api_key || connection.header_names.length > 0
  const set = (isShared: boolean) => change.mutate({ worker_id: worker.id, connection_id: connection.id, isShared })
  return (
    <div className="stack" style={{ gap: 4 }}>
      <div style={{ display: 'flex', gap: 12, alignItems: 'center', justifyContent: 'space-between' }}>
        <div>
          <UntrustedText text={connection.name} layout="inline" />
          <div style={{ color: 'var(--ink-2)' }}>
            {shared ? (
              <>
                Shared <RelativeTime at={shared.shared_at} />
              </>
            ) : hasSecret ? (
              'Not shared'
            ) : (
              'No key stored'
            )}
          </div>
        </div>
        {shared ? (
          <Button
            variant="default"
            loading={change.isPending}
            aria-label={`Stop sharing the key of ${connection.name}`}
            onClick={() => set(false)}
          >
            Stop sharing
          </Button>
        ) : (
          <Button
            variant="default"
            disabled={!hasSecret}
            loading={change.isPending}
            aria-label={`Share the key of ${connection.name}`}
            onClick={() => set(true)}
          >
            Share key
          </Button>
        )}
      </div>
      {change.error ? <ErrorState error={change.error} /> : null}
    </div>
  )
}
