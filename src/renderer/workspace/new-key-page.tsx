import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { CreatedApiKey } from '../../contract/keys/keys.schemas.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { KeySecretDialog } from './key-secret-dialog.tsx'
import { NewKeyForm } from './new-key-form.tsx'

export function NewKeyPage() {
  const navigate = useNavigate()
  const [made, setMade] = useState<CreatedApiKey | null>(null)
  return (
    <Page layout="narrow">
      <PageHeader
        title="New key"
        parent={{ title: 'API keys', to: '/workspace/keys' }}
        description="For one program or agent. Give it what it needs and no more; a key can be rolled or revoked at any time."
      />
      <NewKeyForm onMade={setMade} />
      <KeySecretDialog made={made} onDone={() => made && void navigate(`/workspace/keys?open=${made.id}`)} />
    </Page>
  )
}
