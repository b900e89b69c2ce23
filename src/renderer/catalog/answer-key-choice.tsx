import { Radio, Stack } from '@mantine/core'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { type AnswerKeyForm, answerKeyWords } from './import-form.ts'

type AnswerKey = NonNullable<ImportRecord['answer_key']>
type Example = AnswerKey['readings'][number]['examples'][number]

const exampleColumns: readonly Column<Example>[] = [
  { id: 'line', title: 'Line', width: 56, align: 'end', rowHeader: true, cell: example => formatCount(example.line) },
  { id: 'target', title: 'Key in the file', width: 140, cell: example => <UntrustedText text={example.target} layout="prose" /> },
  { id: 'choice', title: 'Right choice', width: 100, cell: example => letterOf(example.choice) },
  { id: 'text', title: 'Text', width: 280, grow: true, cell: example => <UntrustedText text={example.text} layout="prose" /> },
]

interface AnswerKeyChoiceProps {
  readonly answerKey: AnswerKey
  readonly onChoose: (form: AnswerKeyForm) => void
}

/** How the file names its right choices, with examples; where two forms fit and disagree the reader chooses. */
export function AnswerKeyChoice({ answerKey: { form, chosen_by, readings }, onChoose }: AnswerKeyChoiceProps) {
  const [only] = readings
  return (
    <Stack gap="xs">
      <div className="row">
        <strong>Answer key</strong>
        {form ? (
          <span>
            {answerKeyWords[form]}
            {chosen_by === 'user' ? ' (chosen)' : ' (fits every row)'}
          </span>
        ) : (
          <StatusBadge status={{ word: readings.length > 0 ? 'Choose one' : 'Not recognized', tone: 'fail' }} />
        )}
      </div>
      {readings.length > 1 ? (
        <Radio.Group
          label="The keys fit more than one form, and the forms disagree. What do they mean?"
          value={form}
          onChange={value => {
            const chosen = readings.find(reading => reading.form === value)
            if (chosen) onChoose(chosen.form)
          }}
        >
          <Stack gap="sm" mt="xs">
            {readings.map(reading => (
              <div key={reading.form}>
                <Radio value={reading.form} label={answerKeyWords[reading.form]} />
                <Examples form={reading.form} examples={reading.examples} />
              </div>
            ))}
          </Stack>
        </Radio.Group>
      ) : only ? (
        <Examples form={only.form} examples={only.examples} />
      ) : null}
    </Stack>
  )
}

function Examples({ form, examples }: { readonly form: AnswerKeyForm; readonly examples: readonly Example[] }) {
  return (
    <PlainTable
      label={`Examples: ${answerKeyWords[form]}`}
      columns={exampleColumns}
      rows={examples}
      rowId={example => `${example.line} ${example.choice}`}
    />
  )
}

function letterOf(position: number): string {
  return position < 26 ? String.fromCharCode(65 + position) : String(position - 25)
}
