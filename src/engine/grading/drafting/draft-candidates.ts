import type { DeterministicDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import type { LabelMenu } from '../calibration/predict-label.ts'

/** What an example shows of its shape. */
export interface DraftExample {
  readonly exampleId: string
  readonly output: string | null
  readonly targets: readonly string[]
  readonly label: string | null
}

type Candidate = Pick<DeterministicDefinition, 'scorer' | 'options' | 'target_from'>

const number = /-?\d[\d,]*(?:\.\d+)?/
const mostlyOf = (examples: readonly DraftExample[], holds: (example: DraftExample) => boolean) =>
  examples.length > 0 && examples.filter(holds).length >= 0.8 * examples.length

/** Scorers with the options that fit the examples' shapes; the caller measures which agree with the labels. */
export function draftCandidates(examples: readonly DraftExample[], menu: LabelMenu): DeterministicDefinition[] {
  const labeled = examples.filter(({ label, output }) => label !== null && output !== null)
  const found: Candidate[] = []
  if (menu.task !== 'pairwise' && mostlyOf(labeled, ({ targets }) => targets.length > 0)) found.push(...againstExpected(labeled))
  if (menu.labels.length >= 2 && menu.task !== 'pairwise') found.push(...byLabelWords(menu))
  if (menu.labels.length === 2 && menu.task !== 'pairwise') found.push(...byForm(labeled))
  return found.map(candidate => ({ kind: 'deterministic', ...candidate }))
}

function againstExpected(examples: readonly DraftExample[]): Candidate[] {
  const of = (scorer: string, options: Record<string, unknown> = {}): Candidate => ({ scorer, options, target_from: 'expected' })
  const numeric = mostlyOf(examples, ({ targets }) => targets.every(target => number.test(target)))
  const json = mostlyOf(examples, ({ targets }) => targets.every(target => /^\s*[[{]/.test(target)))
  const letter = mostlyOf(examples, ({ targets }) => targets.every(target => /^\s*\(?[A-Z]\)?\s*$/.test(target)))
  return [
    of('assay/exact_match'),
    of('assay/exact_match', { ignore_case: true }),
    of('assay/exact_match', { ignore_case: true, ignore_punctuation: true }),
    of('assay/exact_match', { extraction: 'hash_marks', ignore_case: true }),
    of('assay/exact_match', { extraction: 'boxed' }),
    of('assay/includes'),
    of('assay/includes', { ignore_case: true }),
    of('assay/includes', { ignore_case: true, require: 'all' }),
    of('assay/f1'),
    of('assay/rouge_l'),
    of('assay/chrf'),
    of('assay/edit_distance', { ignore_case: true }),
    ...(numeric
      ? [
          of('assay/numeric'),
          of('assay/numeric', { relative: 0.01 }),
          of('assay/numeric', { extraction: 'answer_line' }),
          of('inspect_ai/math'),
        ]
      : []),
    ...(json ? [of('autoevals/JSONDiff')] : []),
    ...(letter ? [of('assay/exact_match', { extraction: { pattern: '\\b([A-Z])\\b', select: 'last' } })] : []),
  ]
}

/** Where the output itself names a label. */
function byLabelWords({ labels }: LabelMenu): Candidate[] {
  const escaped = labels.map(label => label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const [first = ''] = escaped
  const words = `(?i)\\b(${escaped.join('|')})\\b`
  if (labels.length === 2)
    return [{ scorer: 'assay/pattern', options: { pattern: `\\b${first}\\b`, ignore_case: true }, target_from: 'expected' }]
  return (['first', 'last'] as const).map(select => ({
    scorer: 'assay/exact_match',
    options: { extraction: { pattern: words, select }, ignore_case: true, no_answer: 'unscored' },
    target_from: 'label' as const,
  }))
}

/** What can be seen without knowing any answer: a refusal, JSON, a length. */
function byForm(examples: readonly DraftExample[]): Candidate[] {
  const of = (pattern: string, expect: 'match' | 'no_match', more: Record<string, unknown> = {}): Candidate => ({
    scorer: 'assay/pattern',
    options: { pattern, expect, ...more },
    target_from: 'expected',
  })
  const lengths = examples.map(({ output }) => output?.length ?? 0).sort((a, b) => a - b)
  const middle = Math.min(1000, lengths[Math.floor(lengths.length / 2)] ?? 0)
  return [
    of("\\b(I can(?:no|')t|I cannot|I am unable|I'm unable|I won't|as an AI)\\b", 'no_match', { ignore_case: true }),
    of('^\\s*[\\[{]', 'match'),
    of('\\S', 'match'),
    ...(middle > 0 ? [of(`^.{${middle},}`, 'match', { dot_all: true }), of(`^.{${middle},}`, 'no_match', { dot_all: true })] : []),
  ]
}
