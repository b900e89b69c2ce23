import { Anchor, Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import { packageChecks, type PackageDryRun } from '../../contract/creator/packages.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { allItems } from '../api/pages.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ChecksTable } from './checks-table.tsx'
import { checkWords } from './creator-words.ts'
import { useNamespaces, usePackageUpload } from './creator.queries.ts'
import { NewNamespaceDialog } from './new-namespace-dialog.tsx'
import { TemplateButton } from './template-button.tsx'

/** A package as a file: a look at it first, if wanted, then the upload with its progress. */
export function UploadPackagePage() {
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const [registering, setRegistering] = useState(false)
  const namespaces = useNamespaces()
  const isFirst = namespaces.isSuccess && allItems(namespaces.data).length === 0
  const dry = usePackageUpload(true)
  const real = usePackageUpload(false)
  const active = real.busy ? real : dry.busy ? dry : null
  const error = real.error ?? dry.error
  const choose = ([one]: readonly File[]): void => {
    if (!one) return
    dry.forget()
    real.forget()
    setFile(one)
  }
  const checks = dry.latest && 'dry_run' in dry.latest ? dry.latest.checks : null
  const send = (one: File): void =>
    real.send(one, {
      onSuccess: made => void ('id' in made ? navigate(`/creator/packages/${made.id}`) : undefined),
      // Nothing was stored, but the author can mend the package before the namespace is registered.
      onError: refused => (isUnregistered(refused) ? dry.send(one) : undefined),
    })
  return (
    <Page>
      <PageHeader
        title="Upload a package"
        parent={{ title: 'Creator', to: '/creator' }}
        description="Fifteen checks run after the upload. Then a person reviews it."
      />
      {isFirst ? (
        <Section title="Namespace">
          <p className="quiet" style={{ margin: 0 }}>
            A package is published under a namespace: your team or project in lower-case words. A chosen file stays here meanwhile.
          </p>
          <div>
            <Button variant={file ? 'default' : 'filled'} onClick={() => setRegistering(true)}>
              Register a namespace
            </Button>
          </div>
        </Section>
      ) : null}
      <Section title="File">
        <FileDrop
          label="Drop a package here, or choose it"
          hint="A zip with assay.package.json at its top level, or a package as JSON. At most 256 MiB."
          multiple={false}
          disabled={active !== null}
          onFiles={choose}
        />
        {file ? (
          <p>
            <UntrustedText text={file.name} layout="inline" /> <span className="quiet num">{formatBytes(file.size)}</span>
          </p>
        ) : (
          <p className="quiet">
            No package yet? <TemplateButton /> and edit it. For a zip, <code>assay package init</code> writes a folder to start from,{' '}
            <code>assay package check</code> runs the same checks, and <code>assay package pack</code> makes the zip.
          </p>
        )}
        {active ? (
          <div className="stack" aria-busy>
            <span className="quiet">{active.share < 1 ? `Uploading: ${Math.round(active.share * 100)} %` : 'Reading the package…'}</span>
            <Progress value={active.share * 100} aria-label="Share of the file that is uploaded" animated={active.share >= 1} />
          </div>
        ) : null}
        {error ? <Refusal error={error} onRegister={() => setRegistering(true)} /> : null}
        {file ? (
          <div className="row">
            <Button variant="default" disabled={active !== null} onClick={() => dry.send(file)}>
              Check without uploading
            </Button>
            <Button loading={real.busy} disabled={dry.busy} onClick={() => send(file)}>
              Upload
            </Button>
          </div>
        ) : null}
      </Section>
      {checks ? <DryRun checks={checks} /> : null}
      {registering ? (
        <NewNamespaceDialog
          opened
          suggested={namespaceOf(dry.latest)}
          onClose={() => setRegistering(false)}
          // What was refused for want of the namespace is sent again; nothing else is sent without a click.
          onMade={() => (file && real.error && isUnregistered(real.error) ? send(file) : real.forget())}
        />
      ) : null}
    </Page>
  )
}

/** What can be told without running anything, and which checks are left for the upload. */
function DryRun({ checks }: Pick<PackageDryRun, 'checks'>) {
  const failed = checks.filter(({ outcome }) => outcome === 'fail').length
  const left = packageChecks.filter(check => checks.every(one => one.check !== check)).map(check => checkWords[check])
  const isRead = checks.length > 1
  return (
    <Section title="Dry run" aside={<span className="quiet num">{`${checks.length} of ${packageChecks.length} checks`}</span>}>
      {failed > 0 ? (
        <Notice tone="fail" title={`${failed} ${failed === 1 ? 'check fails' : 'checks fail'}`}>
          {isRead ? 'This version would be rejected.' : 'The other checks need a package that can be read.'} Nothing was stored.
        </Notice>
      ) : (
        <Notice tone="pass" title="No check fails">
          Nothing was stored. These run after the upload: {left.join(', ')}.
        </Notice>
      )}
      <ChecksTable checks={checks} packageId={null} />
    </Section>
  )
}

/** What the package that was looked at calls its namespace. */
function namespaceOf(looked: ReturnType<typeof usePackageUpload>['latest']): string {
  return looked && 'dry_run' in looked ? (looked.manifest?.namespace ?? '') : ''
}

function isUnregistered(error: Error): boolean {
  return error instanceof ServiceError && error.code === 'not_found'
}

/** A missing namespace is the expected first step of an author, not a defect to report. */
function Refusal({ error, onRegister }: { readonly error: Error; readonly onRegister: () => void }) {
  if (!isUnregistered(error)) return <ErrorState error={error} title="The package was refused" reportable={false} />
  return (
    <Notice tone="warn" title="Namespace not registered">
      <UntrustedText text={error.message} layout="prose" />{' '}
      <Anchor component="button" type="button" fz="inherit" onClick={onRegister}>
        Register the namespace
      </Anchor>
    </Notice>
  )
}
