import { Button, Checkbox, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Connection, ConnectionProtocol, ProbedCapability } from '../../contract/connections/connections.schemas.ts'
import { meantBaseUrl } from '../../lib/base-address.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import type { FieldsProps, SecretFieldsProps } from './connection-fields.tsx'
import type { ConnectionForm } from './connection-form.ts'
import { ModelNameField } from './model-name-field.tsx'
import { protocolWords } from './protocols.ts'

/** What every connection needs, beside its key. */
export function EndpointFields({ form, errors, onChange, holder }: Omit<SecretFieldsProps, 'isCopy'>) {
  const isAgent = form.protocol === 'agent_to_agent'
  const meant = meantBaseUrl(form.base_url, form.protocol)
  const [addressError, setAddressError] = useState<string | null>(null)
  return (
    <>
      <TextInput
        label="Name"
        description="What you call it in lists and reports."
        required
        error={errors.name}
        {...textField(form.name, text => onChange({ name: text }))}
      />
      <TextInput
        label={isAgent ? 'Address of the agent card' : 'Base address'}
        description={addressHints[form.protocol] ?? 'Up to and including the version part, such as http://127.0.0.1:8000/v1. No key in it.'}
        required
        spellCheck={false}
        classNames={{ input: 'mono' }}
        error={errors.base_url ?? addressError}
        {...textField(form.base_url, text => {
          setAddressError(null)
          onChange({ base_url: text })
        })}
      />
      {meant === null ? null : (
        <div className="row">
          <Button size="xs" variant="default" onClick={() => onChange({ base_url: meant })}>
            {`Use ${meant}`}
          </Button>
          <span className="quiet small">Looks like the base URL of what you entered.</span>
        </div>
      )}
      {isAgent ? null : <ModelNameField form={form} errors={errors} onChange={onChange} holder={holder} onAddressError={setAddressError} />}
    </>
  )
}

const addressHints: Partial<Readonly<Record<ConnectionForm['protocol'], string>>> = {
  ollama: 'The server itself, such as http://127.0.0.1:11434, without /v1. No key in it.',
  agent_to_agent: 'Such as https://agent.example/.well-known/agent-card.json. The agent must speak version 1.0. No key in it.',
}

const all = ConnectionProtocol.options
/** Capabilities by the protocols that have a form for them. */
const testable: Readonly<
  Record<ProbedCapability, { readonly label: string; readonly lacking: string; readonly protocols: ReadonlySet<string> }>
> = {
  tools: {
    label: 'Native tool calls',
    lacking: 'This protocol has no tool calls',
    protocols: new Set(all.filter(one => one !== 'openai_completions' && one !== 'openai_embeddings')),
  },
  loglikelihood: {
    label: 'Log-likelihoods',
    lacking: 'Only text completions and vLLM return them',
    protocols: new Set(['openai_completions', 'vllm']),
  },
  images: {
    label: 'Images',
    lacking: 'This protocol has no images',
    protocols: new Set(all.filter(one => one !== 'openai_completions' && one !== 'openai_embeddings')),
  },
  audio: {
    label: 'Audio',
    lacking: 'This protocol has no audio',
    protocols: new Set(['openai_chat', 'gemini', 'llama_cpp', 'vllm']),
  },
  documents: {
    label: 'Documents',
    lacking: 'This protocol has no documents',
    protocols: new Set(['openai_chat', 'openai_responses', 'anthropic_messages', 'gemini']),
  },
}

function StreamField({ description, form, onChange }: Pick<FieldsProps, 'form' | 'onChange'> & { readonly description: string }) {
  return <Switch label="Streaming" description={description} {...checkField(form.streaming, isOn => onChange({ streaming: isOn }))} />
}

interface ProtocolFieldsProps extends Omit<FieldsProps, 'errors'> {
  /** A stored agent stays an agent, and a stored endpoint an endpoint. */
  readonly stored: Connection | null
}

/** How the endpoint is spoken to, and what of it is tested. */
export function ProtocolFields({ form, onChange, stored }: ProtocolFieldsProps) {
  const isAgent = form.protocol === 'agent_to_agent'
  const offered = stored
    ? isAgent
      ? ([] as const)
      : ConnectionProtocol.options
    : ([...ConnectionProtocol.options, 'agent_to_agent'] as const)
  return (
    <>
      {offered.length > 0 ? (
        <Select
          label="Protocol"
          description="API format of the endpoint"
          data={offered.map(value => ({ value, label: protocolWords[value] }))}
          value={form.protocol}
          onChange={value => onChange({ protocol: offered.find(one => one === value) ?? form.protocol })}
        />
      ) : null}
      {isAgent ? (
        <StreamField description="The agent streams task updates instead of being polled." form={form} onChange={onChange} />
      ) : (
        <ProbeFields form={form} onChange={onChange} />
      )}
    </>
  )
}

function ProbeFields({ form, onChange }: Pick<FieldsProps, 'form' | 'onChange'>) {
  return (
    <>
      {form.protocol === 'openai_chat' || form.protocol === 'vllm' ? (
        <StreamField
          description="Receive answers as server-sent events. Some endpoints are faster this way."
          form={form}
          onChange={onChange}
        />
      ) : null}
      <Checkbox.Group
        label="Capabilities to test"
        description="Each test sends one or two small requests."
        value={[...form.probes]}
        onChange={chosen => onChange({ probes: ProbedCapability.options.filter(probe => chosen.includes(probe)) })}
      >
        <div className="row" style={{ paddingTop: 4, alignItems: 'flex-start' }}>
          {ProbedCapability.options.map(probe => {
            const { label, lacking, protocols } = testable[probe]
            const isThere = protocols.has(form.protocol)
            return <Checkbox key={probe} value={probe} label={label} disabled={!isThere} description={isThere ? undefined : lacking} />
          })}
        </div>
      </Checkbox.Group>
    </>
  )
}
