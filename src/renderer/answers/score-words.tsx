import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AnswerMapping } from '../../contract/answers/answers.schemas.ts'
import { textField } from '../ui/forms/fields.ts'
import { readWords, writeWords } from './answers-form.ts'

type ScoreColumn = NonNullable<AnswerMapping['scores']>[number]

interface ScoreWordsProps {
  readonly score: ScoreColumn
  readonly onChange: (score: ScoreColumn) => void
}

/** The values of verdicts in words, such as "refused". Taken once it is left, so that half a word is not previewed. */
export function ScoreWords({ score, onChange }: ScoreWordsProps) {
  const [text, setText] = useState(writeWords(score.words))
  const [fault, setFault] = useState<string | null>(null)
  const take = (): void => {
    const words = readWords(text)
    setFault(typeof words === 'string' ? words : null)
    if (typeof words === 'string') return
    const { words: _, ...others } = score
    onChange(words === null ? others : { ...others, words })
  }
  return (
    <TextInput
      label={`Words in ${score.column}`}
      description="Value of each word, such as refused = 0, answered = 1. Empty: the column holds numbers."
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      maxLength={4000}
      error={fault}
      {...textField(text, setText)}
      onBlur={take}
    />
  )
}
