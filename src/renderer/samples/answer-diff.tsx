import { useMemo } from 'react'
import { DiffedText } from '../comparisons/diffed-text.tsx'
import { diffWords } from '../comparisons/word-diff.ts'
import { Section } from '../ui/page/page-header.tsx'

interface AnswerDiffProps {
  readonly answer: string | null
  readonly target: string | undefined
}

/** Where an answer of several words differs from the one expected. */
export function AnswerDiff({ answer, target }: AnswerDiffProps) {
  const diff = useMemo(() => (answer === null || target === undefined ? null : diffWords(target, answer)), [answer, target])
  if (diff === null || answer === null || target === undefined || !isComparable(answer, target)) return null
  return (
    <Section title="Answer against target">
      <div className="samples-diff">
        <div>
          <h3 className="small">Answer</h3>
          <DiffedText text={answer} parts={diff.right} side="right" />
        </div>
        <div>
          <h3 className="small">Expected</h3>
          <DiffedText text={target} parts={diff.left} side="left" />
        </div>
      </div>
    </Section>
  )
}

/** Different texts, both of several words: of two numbers or letters the bar on top says all. */
export function isComparable(answer: string, target: string): boolean {
  return answer !== target && [answer, target].every(text => text.trim().split(/\s+/).length > 1)
}
