import { Button, Select } from '@mantine/core'
import type { ConnectionPreset, FoundRuntime } from '../../contract/connections/presets.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { ConnectionForm } from './connection-form.ts'
import { useConnectionPresets, useDiscoverRuntimes } from './models.queries.ts'
import { fromFound, fromPreset, modelFromPreset } from './start-form.ts'

interface ConnectionStartProps {
  readonly form: ConnectionForm
  readonly onChange: (change: Partial<ConnectionForm>) => void
}

/** Ways to begin a connection: a vendor or runtime that is known, or what runs on this machine. */
export function ConnectionStart({ form, onChange }: ConnectionStartProps) {
  const presets = useConnectionPresets()
  const known = presets.data?.presets ?? []
  const chosen = known.find(preset => preset.base_url === form.base_url && preset.protocol === form.protocol)
  return (
    <Section title="Begin with">
      {presets.isError ? (
        <ErrorState error={presets.error} title="Couldn’t load the presets" onRetry={() => void presets.refetch()} />
      ) : null}
      <Select
        label="Vendor or runtime"
        description="Fills in the form below; everything can still be changed."
        placeholder="Choose a provider"
        searchable
        nothingFoundMessage="No matching provider. Enter its base URL below."
        disabled={known.length === 0}
        data={(['hosted', 'local'] as const).map(place => ({
          group: place === 'hosted' ? 'Vendors' : 'On this machine',
          items: known.filter(preset => preset.place === place).map(({ id, title }) => ({ value: id, label: title })),
        }))}
        value={chosen?.id ?? null}
        onChange={id => {
          const preset = known.find(one => one.id === id)
          if (preset) onChange(fromPreset(preset))
        }}
      />
      {chosen ? <KnownModels preset={chosen} note={presets.data?.note ?? ''} form={form} onChange={onChange} /> : null}
      <Discovery onChange={onChange} />
    </Section>
  )
}

function KnownModels({
  preset,
  note,
  form,
  onChange,
}: ConnectionStartProps & { readonly preset: ConnectionPreset; readonly note: string }) {
  if (preset.models.length === 0)
    return (
      <p className="quiet small" style={{ margin: 0 }}>
        {preset.hint}
      </p>
    )
  const known = preset.models.find(({ model }) => model === form.model)
  return (
    <>
      <Select
        label="Model with known rates"
        description={`${preset.hint} ${note}`}
        placeholder="Another model"
        data={preset.models.map(({ model, source_date, read }) => ({ value: model, label: `${model} (rates of ${source_date ?? read})` }))}
        value={known?.model ?? null}
        onChange={name => {
          const model = preset.models.find(one => one.model === name)
          if (model) onChange(modelFromPreset(model))
        }}
      />
      {known ? (
        <p className="quiet small" style={{ margin: 0 }}>
          {known.note} Read on {known.read} at <UntrustedText text={known.source} layout="inline" />
          {known.cache_source ? (
            <>
              , cache rates on {known.cache_source.read} at <UntrustedText text={known.cache_source.source} layout="inline" />
            </>
          ) : null}
        </p>
      ) : null}
    </>
  )
}

function Discovery({ onChange }: Pick<ConnectionStartProps, 'onChange'>) {
  const look = useDiscoverRuntimes()
  return (
    <div className="stack" style={{ gap: 8 }}>
      <div className="row">
        <Button variant="default" loading={look.isPending} onClick={() => look.mutate()}>
          Detect local models
        </Button>
        <span className="quiet small">Asks the usual ports of this machine, and no other host.</span>
      </div>
      {look.isError ? <ErrorState error={look.error} title="Couldn’t detect local models" /> : null}
      <output>
        {look.data?.length === 0 ? (
          <p className="quiet" style={{ margin: 0 }}>
            No model server answers on the usual ports. Start one, or enter its address below.
          </p>
        ) : null}
        {look.data && look.data.length > 0 ? <Found runtimes={look.data} onChange={onChange} /> : null}
      </output>
    </div>
  )
}

function Found({ runtimes, onChange }: Pick<ConnectionStartProps, 'onChange'> & { readonly runtimes: readonly FoundRuntime[] }) {
  return (
    <ul className="stack" style={{ gap: 8, margin: 0, paddingLeft: 20 }}>
      {runtimes.map(runtime => (
        <li key={runtime.base_url}>
          <UntrustedText text={`${runtime.title}, ${runtime.base_url}${runtime.needs_key ? ', requires a key' : ''}`} layout="prose" />
          <div className="row">
            {(runtime.models.length > 0 ? runtime.models : [null]).map(model => (
              <Button key={model?.model ?? ''} size="xs" variant="default" onClick={() => onChange(fromFound(runtime, model))}>
                {model ? `${model.model}${words(model)}` : 'Use this address'}
              </Button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
}

function words({ context_tokens: context, leaves_machine: leaves }: FoundRuntime['models'][number]): string {
  const size = context === null ? '' : ` · ${formatCount(context)} tokens`
  return leaves ? `${size} · runs elsewhere: data leaves this machine` : size
}
