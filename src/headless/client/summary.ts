import type { Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { headlineMarkdown } from '../../engine/reporting/exports/run-markdown.ts'
import { markdownText } from '../../engine/reporting/exports/markdown-text.ts'
import type { GateVerdict } from './gates.ts'

/** A task whose outcome differs between baseline and run. */
export interface Flip {
  readonly change: 'lost' | 'gained'
  readonly taskId: string
}

export interface RunSummary {
  readonly results: Results
  readonly comparison: Comparison | null
  readonly flips: readonly Flip[]
  readonly verdicts: readonly GateVerdict[]
}

const signs = { pass: '✅ passed', fail: '❌ failed', unclear: '⚠️ inconclusive' } as const

/** The summary of a pipeline's step in Markdown: gates, headline with intervals, flips, cost. */
export function runSummary({ results, comparison, flips, verdicts }: RunSummary): string {
  const gates = verdicts.map(({ verdict, text }) => `- ${signs[verdict]}: ${markdownText(text)}`)
  return [
    headlineMarkdown(results),
    ...(gates.length > 0 ? ['### Gates', '', ...gates, ''] : []),
    ...(comparison === null ? [] : ['### Against the baseline', '', markdownText(comparison.headline), '', ...flipLines(flips)]),
    '',
  ].join('\n')
}

function flipLines(flips: readonly Flip[]): string[] {
  if (flips.length === 0) return ['No task changed its outcome.']
  return (['lost', 'gained'] as const).flatMap(change => {
    const ids = flips.filter(flip => flip.change === change).map(({ taskId }) => markdownText(taskId))
    return ids.length === 0 ? [] : [`- ${change === 'lost' ? 'Worse' : 'Better'}: ${ids.join(', ')}`]
  })
}
