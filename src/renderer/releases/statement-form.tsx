import { Button, NumberInput, Textarea, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { IconTrash } from '../ui/pictures/icons.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useStateEvidence } from './releases.queries.ts'

interface Figure {
  readonly metric: string
  readonly value: number | null
  readonly n: number | null
  readonly standardError: number | null
}

const noFigure: Figure = { metric: '', value: null, n: null, standardError: null }

/** Evidence without a file: what somebody found, in words and in figures with their n. */
export function StatementForm() {
  const navigate = useNavigate()
  const state = useStateEvidence()
  const [name, setName] = useState('')
  const [tool, setTool] = useState('')
  const [text, setText] = useState('')
  const [figures, setFigures] = useState<readonly Figure[]>([])
  const unfinished = figures.some(({ metric, value }) => metric.trim() === '' || value === null)
  const blocked =
    name.trim() === ''
      ? 'Enter a name.'
      : tool.trim() === ''
        ? 'Enter where it comes from.'
        : text.trim() === ''
          ? 'Enter the statement.'
          : unfinished
            ? 'Each figure needs a metric and a value.'
            : null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (blocked !== null) return
        const stated = figures.flatMap(({ metric, value, n, standardError }) =>
          value === null
            ? []
            : [
                {
                  metric: metric.trim(),
                  value,
                  ...(n === null ? {} : { n }),
                  ...(standardError === null ? {} : { standard_error: standardError }),
                },
              ],
        )
        state.mutate(
          { name: name.trim(), format: 'manual', source: { tool: tool.trim() }, statement: { text: text.trim(), figures: stated } },
          { onSuccess: ({ id }) => void navigate(`/releases/evidence/${id}`) },
        )
      }}
    >
      <TextInput label="Name" maw={480} maxLength={200} required {...textField(name, setName)} />
      <TextInput
        label="Source"
        description="A report, a paper, a review"
        maw={340}
        maxLength={200}
        required
        {...textField(tool, setTool)}
      />
      <Textarea label="Statement" autosize minRows={3} maw={640} maxLength={5000} required {...textField(text, setText)} />
      {figures.map((figure, i) => (
        <FigureFields
          // oxlint-disable-next-line react/no-array-index-key -- figures have no identity but their place
          key={i}
          place={i + 1}
          figure={figure}
          onChange={changed => setFigures(figures.with(i, changed))}
          onRemove={() => setFigures(figures.toSpliced(i, 1))}
        />
      ))}
      {state.isError ? <ErrorState error={state.error} title="Couldn’t keep the statement" /> : null}
      <div className="row">
        <ReasonedButton type="submit" loading={state.isPending} blocked={blocked}>
          Keep statement
        </ReasonedButton>
        <Button variant="default" onClick={() => setFigures([...figures, noFigure])}>
          Add figure
        </Button>
      </div>
    </form>
  )
}

interface FigureFieldsProps {
  readonly place: number
  readonly figure: Figure
  readonly onChange: (figure: Figure) => void
  readonly onRemove: () => void
}

function FigureFields({ place, figure, onChange, onRemove }: FigureFieldsProps) {
  const id = useId()
  const numberOf = (value: string | number): number | null => (typeof value === 'number' ? value : null)
  return (
    <fieldset className="releases-figure" aria-labelledby={id}>
      <span id={id} className="small quiet">
        Figure {place}
      </span>
      <div className="row" style={{ alignItems: 'end' }}>
        <TextInput label="Metric" w={180} maxLength={200} {...textField(figure.metric, text => onChange({ ...figure, metric: text }))} />
        <NumberInput
          label="Value"
          w={120}
          hideControls
          value={figure.value ?? ''}
          onChange={value => onChange({ ...figure, value: numberOf(value) })}
        />
        <NumberInput
          label="n"
          w={100}
          min={1}
          allowDecimal={false}
          hideControls
          value={figure.n ?? ''}
          onChange={n => onChange({ ...figure, n: numberOf(n) })}
        />
        <NumberInput
          label="Standard error"
          w={140}
          min={0}
          hideControls
          value={figure.standardError ?? ''}
          onChange={standardError => onChange({ ...figure, standardError: numberOf(standardError) })}
        />
        <Button
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={onRemove}
          aria-label={`Remove figure ${place}`}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  )
}
