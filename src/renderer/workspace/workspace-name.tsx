import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useMe } from '../api/session.queries.ts'
import { presentWorkspace } from '../api/workspace.ts'
import { textField } from '../ui/forms/fields.ts'
import { notifyDone } from '../ui/page/notify.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { useRenameWorkspace } from './members.queries.ts'
import { useRole } from './use-role.ts'

export function WorkspaceName() {
  const { data: me } = useMe()
  const { mayAdminister } = useRole()
  const workspace = me && presentWorkspace(me)
  if (!workspace) return null
  return (
    <Section title="This workspace">
      <KeyValues items={{ Id: <Identifier value={workspace.id} what="workspace id" shown={36} /> }} />
      {mayAdminister ? <Rename key={workspace.name} {...workspace} /> : null}
    </Section>
  )
}

function Rename({ id, name }: { readonly id: string; readonly name: string }) {
  const [typed, setTyped] = useState(name)
  const rename = useRenameWorkspace(id)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    rename.mutate(typed.trim(), { onSuccess: () => notifyDone('The workspace has its new name.') })
  }
  return (
    <form onSubmit={submit}>
      <div className="row" style={{ alignItems: 'flex-end' }}>
        <TextInput label="Name" w={280} maxLength={200} {...textField(typed, setTyped)} />
        <Button type="submit" variant="default" loading={rename.isPending} disabled={typed.trim() === '' || typed.trim() === name}>
          Rename
        </Button>
      </div>
      {rename.isError ? <ErrorState error={rename.error} title="The workspace was not renamed" /> : null}
    </form>
  )
}
