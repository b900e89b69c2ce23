import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format/numbers.ts'
import { splitReasoning } from '../../lib/split-reasoning.ts'
import { Folded } from '../results/folded.tsx'
import { ReadableText } from './readable-text.tsx'

/** What the model thought before its answer; no scorer saw it. */
export function Reasoning({ reasoning }: { readonly reasoning: string | null }) {
  if (reasoning === null) return null
  return (
    <Folded title={`Reasoning (${formatCount(reasoning.length)} characters)`}>
      <ReadableText text={reasoning} />
    </Folded>
  )
}

/** A text that may hold what the model thought, such as an output of a data set: that is folded before the answer. */
export function WithoutReasoning({ text, children }: { readonly text: string; readonly children: (answer: string) => ReactNode }) {
  const { output, reasoning } = splitReasoning(text)
  return (
    <>
      <Reasoning reasoning={reasoning} />
      {children(output)}
    </>
  )
}
