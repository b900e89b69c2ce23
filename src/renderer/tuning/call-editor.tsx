import { NumberInput, Select, TagsInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Effort } from '../../contract/catalog/models.schemas.ts'
import type { TuneCall } from '../../contract/tuning/draft.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { definedOf } from '../../lib/defined-of.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ModelField } from '../quotes/model-field.tsx'
import { useModelChoice } from '../quotes/use-model-choice.ts'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { defaultTemplate } from './new-call.ts'
import { useModelNames } from './use-model-names.ts'
import { usePatchDraft } from './tuning.queries.ts'
import { describeModel } from './tuning-words.ts'
import { modelOf, valueOf } from '../quotes/model-value.ts'

/** The call to improve: a form while the session is a draft. */
export function CallEditor({ session }: { readonly session: TuneSession }) {
  const { call } = session.draft
  return (
    <>
      {session.status === 'draft' ? <CallForm session={session} /> : call ? <CallFacts call={call} /> : null}
      {call?.source.snippet ? (
        <details>
          <summary>Source code</summary>
          <UntrustedText text={call.source.snippet} layout="block" />
        </details>
      ) : null}
    </>
  )
}

/** Model, settings and prompts of a call, to be read. */
export function CallFacts({ call }: { readonly call: TuneCall }) {
  const { max_output_tokens: most, temperature, top_p: topP, seed, stop } = call.parameters
  const names = useModelNames()
  return (
    <>
      <KeyValues
        items={{
          Model: <UntrustedText text={describeModel(call, names)} layout="prose" />,
          'Max output tokens': formatCount(most),
          Temperature: temperature === null ? null : String(temperature),
          'Top p': topP === undefined ? null : String(topP),
          Seed: seed === undefined ? null : String(seed),
          'Stop sequences':
            stop.length === 0 ? null : <UntrustedText text={stop.map(text => JSON.stringify(text)).join(', ')} layout="prose" />,
          'System prompt': call.system_prompt === null ? null : <UntrustedText text={call.system_prompt} layout="block" />,
          'Response schema':
            call.response_schema === null ? null : <UntrustedText text={JSON.stringify(call.response_schema, null, 2)} layout="block" />,
        }}
      />
      <UntrustedText text={call.prompt_template} layout="block" />
    </>
  )
}

const efforts = Effort.options.map(value => ({ value, label: value }))

function CallForm({ session }: { readonly session: TuneSession }) {
  const { call } = session.draft
  const patch = usePatchDraft(session)
  const choice = useModelChoice()
  const [model, setModel] = useState(call ? valueOf(call.model) : null)
  const [effort, setEffort] = useState(call?.effort ?? null)
  const [system, setSystem] = useState(call?.system_prompt ?? '')
  const [template, setTemplate] = useState(call?.prompt_template ?? defaultTemplate)
  const [temperature, setTemperature] = useState(call?.parameters.temperature ?? null)
  const [topP, setTopP] = useState(call?.parameters.top_p)
  const [seed, setSeed] = useState(call?.parameters.seed)
  const [stop, setStop] = useState<readonly string[]>(call?.parameters.stop ?? [])
  const [tokens, setTokens] = useState(call?.parameters.max_output_tokens ?? 1024)
  const chosen = model === null ? null : modelOf(model)
  const next: TuneCall | null = chosen && {
    source: call?.source ?? { kind: 'manual' },
    model: chosen,
    effort,
    system_prompt: system === '' ? null : system,
    prompt_template: template,
    parameters: { temperature, max_output_tokens: tokens, stop: [...stop], ...definedOf({ top_p: topP, seed }) },
    response_schema: call?.response_schema ?? null,
  }
  const blocked =
    chosen === null
      ? 'Choose the model that you call today.'
      : !template.includes('{input}')
        ? 'The prompt template must contain {input}.'
        : JSON.stringify(next) === JSON.stringify(call)
          ? 'There are no changes to save.'
          : null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (next && blocked === null) patch.mutate({ call: next })
      }}
    >
      <ModelField choice={choice} value={model} error={undefined} onChange={setModel} />
      <div className="tuning-grid">
        <Select
          label="Effort"
          placeholder="Provider default"
          clearable
          data={efforts}
          value={effort}
          onChange={value => setEffort(Effort.nullable().parse(value))}
        />
        <NumberInput
          label="Max output tokens"
          min={1}
          allowDecimal={false}
          thousandSeparator=","
          value={tokens}
          onChange={value => {
            if (typeof value === 'number') setTokens(value)
          }}
        />
        <NumberInput
          label="Temperature"
          placeholder="Provider default"
          min={0}
          max={2}
          step={0.1}
          value={temperature ?? ''}
          onChange={value => setTemperature(typeof value === 'number' ? value : null)}
        />
        <NumberInput
          label="Top p"
          placeholder="Provider default"
          // The provider refuses 0.
          min={0.001}
          max={1}
          step={0.05}
          value={topP ?? ''}
          onChange={value => setTopP(typeof value === 'number' ? value : undefined)}
        />
        <NumberInput
          label="Seed"
          placeholder="None sent"
          min={0}
          max={Number.MAX_SAFE_INTEGER}
          allowDecimal={false}
          value={seed ?? ''}
          onChange={value => setSeed(typeof value === 'number' ? value : undefined)}
        />
        <TagsInput
          label="Stop sequences"
          {...(stop.length === 0 && { placeholder: 'None' })}
          maxTags={4}
          splitChars={[]}
          value={[...stop]}
          onChange={setStop}
        />
      </div>
      <Textarea label="System prompt" placeholder="None" autosize minRows={1} maxRows={10} {...textField(system, setSystem)} />
      <Textarea
        label="Prompt template"
        description="{input} is replaced by the input of each case."
        autosize
        minRows={2}
        maxRows={14}
        {...textField(template, setTemplate)}
      />
      {patch.isError ? <FailureMessage title="Couldn’t save the call" error={patch.error} /> : null}
      <div className="row">
        <ReasonedButton type="submit" variant="default" loading={patch.isPending} blocked={blocked}>
          Save call
        </ReasonedButton>
      </div>
    </form>
  )
}
