import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { LocalModels, LocalModelSettings } from '../../contract/local-models/local-models.schemas.ts'
import { quoteAddress } from '../catalog/catalog-links.ts'
import { textField } from '../ui/forms/fields.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useAddFolder, useChangeSettings, useIdentify, useLocalModels, useRemoveFolder } from './local-models.queries.ts'
import { locationName, ModelFiles } from './model-files.tsx'
import type { ModelDrop } from './use-model-drop.ts'
import { RuntimeSection } from './runtime-section.tsx'

/** GGUF files on this machine: each is a model, run by Assay itself. */
export function LocalModelsPage() {
  const found = useLocalModels()
  return (
    <Page>
      <PageHeader
        title="Local files"
        parent={{ title: 'Models', to: '/models' }}
        description="GGUF files on this machine. Assay runs them itself: no other program and no network."
        actions={<RequestMenu operation="listLocalModels" request={{}} />}
      />
      <QueryView query={found} failure="Couldn’t look for GGUF files" loading={<LinesSkeleton lines={8} />}>
        {models => <Found models={models} />}
      </QueryView>
    </Page>
  )
}

function Found({ models }: { readonly models: LocalModels }) {
  const { items, others, folders, runtime, settings, unread } = models
  const identify = useIdentify()
  const navigate = useNavigate()
  const dropped = useLocation().state as ModelDrop | null // set by nothing else
  const [wanted, setWanted] = useState(dropped?.dropped ?? null)
  const ready = items.find(({ path, route_id }) => path === wanted && route_id !== null)
  useEffect(() => {
    if (ready?.route_id) void navigate(quoteAddress({ route: ready.route_id }), { replace: dropped !== null })
  }, [ready, navigate, dropped])
  return (
    <>
      <RuntimeSection runtime={runtime} />
      <Section title={`Models${unread > 0 ? ` (reading ${unread} more)` : ''}`}>
        {items.length === 0 ? (
          <EmptyState title="No GGUF models found">Add the folder of your files below.</EmptyState>
        ) : (
          <ModelFiles
            models={items}
            wanted={wanted}
            onRun={({ path }) => {
              setWanted(path)
              identify.mutate(path, { onError: () => setWanted(null) })
            }}
          />
        )}
      </Section>
      {others.length > 0 ? (
        <Section title="Other GGUF files">
          <PlainTable label="Other GGUF files" columns={otherColumns} rows={others} rowId={({ path }) => path} />
        </Section>
      ) : null}
      <Folders folders={folders} />
      <Settings key={JSON.stringify(settings)} settings={settings} />
    </>
  )
}

const otherColumns: readonly Column<LocalModels['others'][number]>[] = [
  { id: 'path', title: 'File', width: 300, grow: true, rowHeader: true, cell: ({ path }) => <UntrustedText text={path} layout="prose" /> },
  { id: 'reason', title: 'Why it is not a model', width: 360, cell: ({ reason }) => <UntrustedText text={reason} layout="prose" /> },
]

function Folders({ folders }: { readonly folders: LocalModels['folders'] }) {
  const add = useAddFolder()
  const remove = useRemoveFolder()
  const [path, setPath] = useState('')
  const columns: readonly Column<LocalModels['folders'][number]>[] = [
    {
      id: 'path',
      title: 'Folder',
      width: 300,
      grow: true,
      rowHeader: true,
      cell: folder => <UntrustedText text={folder.path} layout="prose" />,
    },
    { id: 'of', title: 'Kept by', width: 130, cell: ({ location }) => locationName(location) },
    { id: 'files', title: 'Files', width: 70, align: 'end', cell: folder => folder.models },
    {
      id: 'problem',
      title: 'Problem',
      width: 220,
      cell: ({ problem }) => (problem === null ? null : <UntrustedText text={problem} layout="prose" />),
    },
    {
      id: 'remove',
      title: 'Actions',
      width: 100,
      cell: ({ id }) =>
        id === null ? null : (
          <Button variant="subtle" size="xs" onClick={() => remove.mutate(id)}>
            Remove
          </Button>
        ),
    },
  ]
  return (
    <Section title="Folders">
      {folders.length > 0 ? <PlainTable label="Folders" columns={columns} rows={folders} rowId={folder => folder.path} /> : null}
      <form
        className="row"
        onSubmit={event => {
          event.preventDefault()
          add.mutate(path, { onSuccess: () => setPath('') })
        }}
      >
        <TextInput label="Folder with GGUF files" placeholder="/home/ada/models" {...textField(path, setPath)} style={{ flex: 1 }} />
        <Button type="submit" variant="default" disabled={path.trim() === ''} loading={add.isPending} style={{ alignSelf: 'flex-end' }}>
          Add folder
        </Button>
      </form>
    </Section>
  )
}

function Settings({ settings }: { readonly settings: LocalModelSettings }) {
  const save = useChangeSettings()
  const [form, setForm] = useState(settings)
  const number = (key: 'context_tokens' | 'parallel' | 'idle_minutes', label: string, min: number, max: number) => (
    <NumberInput
      label={label}
      min={min}
      max={max}
      value={form[key]}
      onChange={value => setForm({ ...form, [key]: Number(value) })}
      allowDecimal={false}
      w={170}
    />
  )
  return (
    <Section title="Loading">
      <form
        className="row"
        style={{ alignItems: 'flex-end' }}
        onSubmit={event => {
          event.preventDefault()
          save.mutate(form)
        }}
      >
        {number('context_tokens', 'Context length (tokens)', 256, 1_048_576)}
        {number('parallel', 'Requests together', 1, 32)}
        {number('idle_minutes', 'Unload after (min)', 1, 1440)}
        <Select
          label="Cache precision"
          data={[
            { value: 'f32', label: '32 bits, exact' },
            { value: 'f16', label: '16 bits, half the memory' },
          ]}
          value={form.cache_type}
          onChange={value => setForm({ ...form, cache_type: value === 'f16' ? 'f16' : 'f32' })}
          w={210}
        />
        <NumberInput
          label="Threads"
          placeholder="Auto"
          min={1}
          max={256}
          value={form.threads ?? ''}
          onChange={value => setForm({ ...form, threads: value === '' ? null : Number(value) })}
          allowDecimal={false}
          w={120}
        />
        <Button type="submit" variant="default" loading={save.isPending}>
          Save
        </Button>
      </form>
    </Section>
  )
}
