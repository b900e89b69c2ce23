import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey, CreatedApiKey } from '../../contract/keys/keys.schemas.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { notifyDone } from '../ui/page/notify.ts'
import { SidePanel } from '../ui/page/split-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { CeilingDialog } from './ceiling-dialog.tsx'
import { KeyFacts } from './key-facts.tsx'
import { KeySecretDialog } from './key-secret-dialog.tsx'
import { keyStatus } from './key-words.ts'
import { useRevokeKey } from './keys.queries.ts'
import { RollDialog } from './roll-dialog.tsx'
import { useRole } from './use-role.ts'

export function KeyPanel({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  return (
    <SidePanel label="Key" title={<UntrustedText text={apiKey.name} layout="prose" />} onClose={onClose}>
      <div className="row">
        <StatusBadge status={keyStatus(apiKey)} />
        <KeyActions apiKey={apiKey} />
      </div>
      <KeyFacts apiKey={apiKey} />
    </SidePanel>
  )
}

function KeyActions({ apiKey }: { readonly apiKey: ApiKey }) {
  const { mayAdminister } = useRole()
  const [asking, setAsking] = useState<'roll' | 'ceiling' | 'revoke' | null>(null)
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  const revoke = useRevokeKey(apiKey.id)
  const close = (): void => setAsking(null)
  if (!mayAdminister || apiKey.status !== 'active') return <KeySecretDialog made={made} onDone={() => setMade(null)} />
  return (
    <>
      {apiKey.replaced_by === null ? (
        <Button size="xs" variant="default" onClick={() => setAsking('roll')}>
          Roll…
        </Button>
      ) : null}
      <Button size="xs" variant="default" onClick={() => setAsking('ceiling')}>
        Spending limits…
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsking('revoke')}>
        Revoke…
      </Button>
      <RollDialog opened={asking === 'roll'} apiKey={apiKey} onClose={close} onRolled={setMade} />
      <CeilingDialog opened={asking === 'ceiling'} apiKey={apiKey} onClose={close} />
      <ConfirmDialog
        opened={asking === 'revoke'}
        onClose={close}
        title={`Revoke “${apiKey.name}”?`}
        action="Revoke key"
        onConfirm={async () => {
          await revoke.mutateAsync()
          notifyDone('The key is revoked.')
        }}
      >
        Its next request is refused and its open event streams end. Its runs continue. A revoked key never works again.
      </ConfirmDialog>
      <KeySecretDialog made={made} onDone={() => setMade(null)} />
    </>
  )
}
