import { Anchor, Button, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMe, useSignOut } from '../api/session.queries.ts'
import { presentWorkspace } from '../api/workspace.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { BackupsSection } from '../backups/backups-section.tsx'
import { ProxySection } from '../network/proxy-form.tsx'
import { useInstallation } from '../workspace/members.queries.ts'
import { InstallationSection } from './installation-section.tsx'
import { StorageSection } from './storage-section.tsx'
import { useHealth, useMachine } from './settings.queries.ts'

export function SettingsPage() {
  return (
    <Page layout="narrow">
      <PageHeader title="Settings" />
      <Section title="Appearance">
        <Theme />
      </Section>
      <Section title="Session">
        <Session />
      </Section>
      <Section title="Data">
        <DataFolder />
      </Section>
      <Section title="Storage">
        <StorageSection />
      </Section>
      <Section title="Backups">
        <BackupsSection />
      </Section>
      <Section title="Network">
        <p className="prose" style={{ margin: 0 }}>
          Assay sends no telemetry. The{' '}
          <Anchor component={Link} to="/settings/network" inherit underline="always">
            network log
          </Anchor>{' '}
          lists every server it has contacted, with requests and bytes. This machine is never called through a proxy.
        </p>
        <ProxySection />
      </Section>
      <Section title="Workers">
        <p className="prose" style={{ margin: 0 }}>
          Other machines can grade code and call models for this service: see{' '}
          <Anchor component={Link} to="/settings/workers" inherit underline="always">
            workers
          </Anchor>
          .
        </p>
      </Section>
      <Section title="This machine">
        <InstallationSection />
        <Machine />
      </Section>
      <Section title="About">
        <About />
      </Section>
    </Page>
  )
}

const schemes = ['auto', 'light', 'dark'] as const

function DataFolder() {
  const folder = useInstallation().data?.data_folder ?? null
  return (
    <>
      <p className="prose" style={{ margin: 0 }}>
        Assay stores everything in one folder on the machine that runs the service. In the desktop app, open it from the File menu.
      </p>
      {folder === null ? null : (
        <KeyValues items={{ 'Data folder': <Identifier value={folder} what="path of the data folder" shown={200} /> }} />
      )}
    </>
  )
}

function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Theme"
      style={{ alignSelf: 'flex-start' }}
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
      value={colorScheme}
      onChange={value => setColorScheme(schemes.find(scheme => scheme === value) ?? 'auto')}
    />
  )
}

function Session() {
  const me = useMe()
  const workspace = me.data && presentWorkspace(me.data)
  const signOut = useSignOut()
  const [asking, setAsking] = useState(false)
  return (
    <QueryView query={me} failure="Couldn’t load your session">
      {({ name, role }) => (
        <>
          <KeyValues
            items={{
              'Signed in as': name,
              Role: role,
              Workspace: workspace?.name,
              'Workspace id': workspace ? <Identifier value={workspace.id} what="workspace id" shown={36} /> : null,
            }}
          />
          <div>
            <Button variant="default" onClick={() => setAsking(true)}>
              Sign out
            </Button>
          </div>
          <ConfirmDialog
            opened={asking}
            onClose={() => setAsking(false)}
            title="Sign out of Assay?"
            action="Sign out"
            dangerous={false}
            onConfirm={() => signOut.mutateAsync()}
          >
            Running work continues. To sign in again you need a new pairing code from the machine that the service runs on.
          </ConfirmDialog>
        </>
      )}
    </QueryView>
  )
}

function Machine() {
  return (
    <QueryView query={useMachine()} failure="Couldn’t load what this machine offers">
      {({ scoring_workers, sandboxes }) => (
        <KeyValues
          items={{
            'Scoring threads': scoring_workers,
            Sandboxes:
              sandboxes.length === 0 ? (
                'none found'
              ) : (
                <div className="stack" style={{ gap: 4 }}>
                  {sandboxes.map(({ id, title, available, reason }) => (
                    <div key={id} className="row">
                      {title}
                      <StatusBadge status={available ? { word: 'Available', tone: 'pass' } : { word: 'Not available', tone: 'neutral' }} />
                      <span className="quiet">{reason}</span>
                    </div>
                  ))}
                </div>
              ),
          }}
        />
      )}
    </QueryView>
  )
}

function About() {
  return (
    <QueryView query={useHealth()} failure="Couldn’t load the version">
      {({ version, service_version }) => (
        <KeyValues
          items={{
            Version: version,
            'Interface version': service_version,
            'API reference': (
              <Anchor href="/docs" target="_blank" rel="noopener" inherit>
                Open at /docs
              </Anchor>
            ),
          }}
        />
      )}
    </QueryView>
  )
}
