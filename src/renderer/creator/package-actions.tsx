import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { packageMachine } from '../../contract/creator/package.machine.ts'
import type { Package } from '../../contract/creator/packages.schemas.ts'
import { allows } from '../../contract/machine.ts'
import { saveFile } from '../api/download.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ExportButton } from '../ui/page/export-button.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { usePackageActions } from './creator.queries.ts'

const packageFormat = {
  format: 'package',
  title: 'Package',
  detail: 'The uploaded bytes. Import them on another machine to keep authors, signature and digests.',
} as const
const croissantFormat = { format: 'croissant', title: 'Croissant', detail: 'JSON-LD with license, citation and checksums.' } as const

/** Export, withdraw and publish, where the package's status allows them. */
export function PackageActions({ of }: { readonly of: Package }) {
  const { publish, withdraw, quarantine, recheck } = usePackageActions(of.id)
  const [asked, setAsked] = useState<'publish' | 'withdraw' | 'quarantine' | null>(null)
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const name = `${of.namespace}.${of.name}`
  const isListed = of.profile_ids.length > 0 && of.status !== 'in_review'
  const isAccepted = of.status === 'accepted' || of.status === 'published'
  const save = async (format: 'package' | 'croissant'): Promise<void> => {
    setBusy(true)
    try {
      if (format === 'package') await saveFile('exportPackage', { params: { package_id: of.id } }, null)
      else
        await saveFile(
          'exportBenchmark',
          { params: { slug: name }, query: { version: of.version } },
          `${name}-${of.version}.croissant.json`,
        )
    } catch (error) {
      notifyFailed('The export failed', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <RequestMenu operation="getPackage" request={{ params: { package_id: of.id } }} />
      <ExportButton
        formats={isListed ? [packageFormat, croissantFormat] : [packageFormat]}
        busy={busy}
        onSave={format => void save(format)}
      >
        Export
      </ExportButton>
      {isAccepted && of.quarantined ? (
        <Button
          variant="default"
          loading={recheck.isPending}
          onClick={() => recheck.mutate(undefined, { onError: error => notifyFailed('The checks were not started', error) })}
        >
          Check again
        </Button>
      ) : null}
      {isAccepted && !of.quarantined ? (
        <Button variant="default" onClick={() => setAsked('quarantine')}>
          Quarantine
        </Button>
      ) : null}
      {allows(packageMachine, of.status, 'withdraw') ? (
        <Button variant="default" onClick={() => setAsked('withdraw')}>
          Withdraw
        </Button>
      ) : null}
      {allows(packageMachine, of.status, 'publish') && !of.quarantined ? (
        <Button onClick={() => setAsked('publish')}>Publish</Button>
      ) : null}
      <ConfirmDialog
        opened={asked === 'publish'}
        onClose={() => setAsked(null)}
        title={`Publish ${name}@${of.version}?`}
        action="Publish"
        dangerous={false}
        onConfirm={async () => {
          await publish.mutateAsync()
          notifyDone('Published.')
        }}
      >
        Its profiles can be quoted in this workspace without a warning. A published version never changes.
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'quarantine'}
        onClose={() => setAsked(null)}
        title={`Quarantine ${name}@${of.version}?`}
        action="Quarantine"
        onConfirm={async () => {
          if (note.trim() === '') throw new Error('The note is empty. Say what is wrong with the package.')
          await quarantine.mutateAsync(note.trim())
        }}
      >
        <p>It can’t be quoted until its checks pass again. Results of earlier runs stay readable.</p>
        <Textarea label="Note" required autosize minRows={2} {...textField(note, setNote)} />
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'withdraw'}
        onClose={() => setAsked(null)}
        title={`Withdraw ${name}@${of.version}?`}
        action="Withdraw"
        onConfirm={async () => {
          await withdraw.mutateAsync()
          notifyDone('Withdrawn.')
        }}
      >
        <p>It can’t be quoted any more, and open quotes can’t be submitted. This can’t be undone.</p>
        <p>Running runs finish. Results, comparisons, decisions and exports stay readable, and the name and version stay taken.</p>
      </ConfirmDialog>
    </>
  )
}
