import { Button, Checkbox, NumberInput, Radio, Select, SimpleGrid, Textarea } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { useEvaluatorOptions } from '../evaluators/evaluators.queries.ts'
import { checkField, textField } from '../ui/forms/fields.ts'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { type MetricChoice, optionsFault, type SettingsDraft } from './profile-settings.ts'

const mostMetrics = 10

interface ProfileSettingsFormProps {
  readonly draft: SettingsDraft
  readonly record: ImportRecord | null
  readonly onChange: (draft: SettingsDraft) => void
}

/** How the tasks are asked, with the first prompt as it will be sent, and which scorers grade the answers. */
export function ProfileSettingsForm({ draft, record, onChange }: ProfileSettingsFormProps) {
  const [first] = record?.preview ?? []
  const change = (part: Partial<SettingsDraft>): void => onChange({ ...draft, ...part })
  return (
    <>
      <Section title="Prompt">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
          <div className="stack">
            <Textarea
              label="Prompt template"
              description="{input}, {choices} and column names in braces are replaced."
              placeholder="Default: the question, and the choices if there are any"
              autosize
              minRows={4}
              maxRows={14}
              {...textField(draft.prompt, text => change({ prompt: text }))}
            />
            <Textarea
              label="System prompt"
              placeholder="None"
              autosize
              maxRows={8}
              {...textField(draft.system, text => change({ system: text }))}
            />
            <NumberInput
              label="Few-shot examples"
              description="From the example rows of the split, or the first rows of the file."
              min={0}
              max={50}
              allowDecimal={false}
              value={draft.shots}
              onChange={value => change({ shots: typeof value === 'number' ? value : 0 })}
            />
            {draft.shots > 0 ? (
              <Textarea
                label="Example template"
                description="{target} is the reference answer."
                placeholder="Default: question and reference answer"
                autosize
                minRows={2}
                maxRows={8}
                {...textField(draft.shot, text => change({ shot: text }))}
              />
            ) : null}
            <Checkbox
              label="Keep reasoning in the answer"
              description="For models that write <think>…</think> into their text. Usually it is shown apart and not graded."
              {...checkField(draft.keepsReasoning, isOn => change({ keepsReasoning: isOn }))}
            />
            <Checkbox
              label="Grade reasoning with the answer"
              description="Scorers and judges see the reasoning, a blank line and the answer."
              {...checkField(draft.gradesReasoning, isOn => change({ gradesReasoning: isOn }))}
            />
          </div>
          <div aria-live="polite">
            <span className="small quiet">First prompt as it will be sent</span>
            {first?.prompt ? <UntrustedText text={first.prompt} /> : <p className="quiet">Shown once every row is valid.</p>}
          </div>
        </SimpleGrid>
      </Section>
      <Section title="Scorers">
        <MetricChoices draft={draft} onChange={change} />
      </Section>
    </>
  )
}

function MetricChoices({ draft, onChange }: { readonly draft: SettingsDraft; readonly onChange: (part: Partial<SettingsDraft>) => void }) {
  const options = useEvaluatorOptions()
  const scorers = options.data?.scorers ?? []
  const { metrics, primary } = draft
  const set = (place: number, part: Partial<MetricChoice>): void =>
    onChange({ metrics: metrics.map((metric, i) => (i === place ? { ...metric, ...part } : metric)) })
  return (
    <>
      {metrics.length === 0 ? (
        <p className="quiet">Default: exact match, with contained target and F1 beside it; or the right choice.</p>
      ) : null}
      {metrics.map((metric, i) => (
        // The list has no other identity than its order.
        // oxlint-disable-next-line react/no-array-index-key
        <SimpleGrid key={i} cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          <Select
            label={`Scorer ${i + 1}`}
            searchable
            placeholder="Choose a scorer"
            data={scorers.map(({ id, title }) => ({ value: id, label: `${title} (${id})` }))}
            value={metric.scorer}
            onChange={scorer => set(i, { scorer })}
          />
          <Textarea
            label={`Options of scorer ${i + 1} (JSON)`}
            classNames={{ input: 'mono' }}
            autosize
            maxRows={8}
            placeholder="{}"
            error={optionsFault(metric.options)}
            {...textField(metric.options, text => set(i, { options: text }))}
          />
          <Radio label="Primary metric" name="primary-metric" checked={primary === i} onChange={() => onChange({ primary: i })} />
          <div>
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove scorer ${i + 1}`}
              onClick={() =>
                onChange({
                  metrics: metrics.filter((_, other) => other !== i),
                  primary: primary > i ? primary - 1 : primary === i ? 0 : primary,
                })
              }
            >
              Remove
            </Button>
          </div>
        </SimpleGrid>
      ))}
      <div>
        <Button
          variant="default"
          disabled={metrics.length >= mostMetrics}
          onClick={() => onChange({ metrics: [...metrics, { scorer: null, options: '' }] })}
        >
          Add scorer
        </Button>
      </div>
    </>
  )
}
