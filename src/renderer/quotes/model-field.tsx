import { capabilityName } from '../../lib/format/capability-names.ts'
import { Anchor, Select } from '@mantine/core'
import { Link } from 'react-router'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { ModelOption } from './model-options.ts'
import type { ModelChoice } from './use-model-choice.ts'

interface ModelFieldProps {
  readonly choice: ModelChoice
  readonly value: string | null
  readonly error: string | undefined
  readonly onChange: (value: string | null) => void
}

export function ModelField({ choice, value, error, onChange }: ModelFieldProps) {
  const { options } = choice
  if (choice.error) return <ErrorState error={choice.error} title="Couldn’t load the models" onRetry={choice.retry} />
  if (!options) return <LinesSkeleton lines={2} />
  const byValue = new Map(options.map(option => [option.value, option]))
  const chosen = value === null ? undefined : byValue.get(value)
  const groups = Map.groupBy(options, option => option.group)
  return (
    <div className="stack" style={{ gap: 8 }}>
      <Select
        label="Model"
        placeholder="Choose a model"
        searchable
        error={error}
        value={value}
        onChange={onChange}
        // The list itself scrolls: a separate scroll region would be unreachable by keyboard.
        withScrollArea={false}
        styles={{ options: { maxHeight: 'min(360px, 35dvh)', overflowY: 'auto' } }}
        nothingFoundMessage="Nothing has this name."
        data={[...groups].map(([group, items]) => ({
          group,
          items: items.map(item => ({ value: item.value, label: item.label, disabled: item.reasons.length > 0 })),
        }))}
        renderOption={({ option }) => <OptionLine option={byValue.get(option.value)} />}
      />
      {value !== null && !chosen ? <p className="quotes-note">The chosen model is no longer available. Choose another one.</p> : null}
      {chosen ? (
        <p className="quotes-note">
          <UntrustedText text={chosen.summary} layout="prose" />
          {chosen.capabilities.length === 0 ? null : ` · Capabilities: ${chosen.capabilities.map(capabilityName).join(', ')}`}
        </p>
      ) : (
        <p className="quotes-note">
          A baseline needs no network and costs nothing. To measure a real model, add a{' '}
          <Anchor component={Link} to="/models" fz="inherit" underline="always">
            local runtime or a connection
          </Anchor>
          .
        </p>
      )}
    </div>
  )
}

function OptionLine({ option }: { readonly option: ModelOption | undefined }) {
  if (!option) return null
  return (
    <div className="quotes-option">
      <div className="row" style={{ justifyContent: 'space-between', flexWrap: 'nowrap' }}>
        <UntrustedText text={option.label} layout="prose" />
        {option.reasons.length > 0 ? <StatusBadge status={option.status} /> : null}
      </div>
      <div className="quiet small quotes-option-detail">
        <UntrustedText text={option.reasons.length > 0 ? option.reasons.join(' ') : option.summary} layout="prose" />
      </div>
    </div>
  )
}
