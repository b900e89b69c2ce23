import { Select } from '@mantine/core'
import { useState } from 'react'
import type { ImportRecord } from '../../contract/catalog/imports.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'

type Choice = ImportRecord['choices'][number]

const headings: Readonly<Record<Choice['kind'], string>> = { group: 'Groups', tag: 'Tags', task: 'Tasks', grader: 'Graders' }

interface TaskChoiceProps {
  /** Of the last preview; empty once one is chosen. */
  readonly choices: readonly Choice[]
  readonly chosen: string | null
  readonly onChange: (chosen: string | null) => void
}

/** Asks which group, tag or task of a folder is imported, where it holds several. */
export function TaskChoice({ choices, chosen, onChange }: TaskChoiceProps) {
  const [known, setKnown] = useState<readonly Choice[]>([])
  if (choices.length > 0 && choices !== known) setKnown(choices)
  const offered = choices.length > 0 ? choices : chosen === null ? [] : known
  if (offered.length === 0) return null
  const asksGrader = offered.every(({ kind }) => kind === 'grader')
  return (
    <Section title={asksGrader ? 'Grader' : 'Task'}>
      <Select
        label={asksGrader ? 'Graded by' : 'Group, tag or task'}
        description={
          asksGrader
            ? 'The samples do not say it; their registry’s YAML, sent beside them, does.'
            : 'The files hold several; one becomes the benchmark.'
        }
        w={360}
        searchable={offered.length > 8}
        placeholder="Choose one"
        data={Object.entries(headings).map(([kind, group]) => ({
          group,
          items: [...new Set(offered.filter(one => one.kind === kind).map(({ name }) => name))],
        }))}
        value={chosen}
        onChange={onChange}
      />
    </Section>
  )
}
