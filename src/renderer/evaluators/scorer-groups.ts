import type { EvaluatorOptions } from '../../contract/evaluators/evaluators.schemas.ts'

type Scorer = EvaluatorOptions['scorers'][number]

const code = 'Code'
const images = 'Images'
const similarity = 'Text similarity'
const instructions = 'Instruction following'
const others = 'Single benchmarks'

/** In the order of the list: what most need comes first. By the first part of an id. */
const groups: readonly (readonly [title: string, families: readonly string[]])[] = [
  ['Assay', ['assay']],
  [similarity, ['sacrebleu', 'rouge_score', 'evaluate']],
  [code, ['evalplus', 'livecodebench']],
  [instructions, ['ifeval', 'ifbench']],
  [images, ['lmms_eval', 'vqa', 'mmmu', 'mathvista', 'screenspot', 'pope', 'ocrbench']],
  ['Inspect', ['inspect_ai']],
  ['lm-evaluation-harness', ['lm_eval']],
  ['promptfoo', ['promptfoo']],
  ['OpenAI Evals and simple-evals', ['openai_evals', 'simple_evals']],
  ['HELM', ['helm']],
  ['autoevals', ['autoevals']],
  [others, []],
]

function groupOf({ id }: Pick<Scorer, 'id'>): string {
  const [family = ''] = id.split('/')
  return groups.find(([, families]) => families.includes(family))?.[0] ?? others
}

interface ScorerItem {
  readonly value: string
  readonly label: string
}

/** The items of a list of scorers. One that is chosen and not offered is named by its id. */
export function scorerItems(scorers: readonly Scorer[], chosen: string): { readonly group: string; readonly items: ScorerItem[] }[] {
  const known = scorers.map(scorer => ({ group: groupOf(scorer), value: scorer.id, label: `${scorer.title} (${scorer.id})` }))
  const all =
    chosen === '' || known.some(({ value }) => value === chosen)
      ? known
      : [...known, { group: groupOf({ id: chosen }), value: chosen, label: chosen }]
  return groups.flatMap(([title]) => {
    const items = all.filter(({ group }) => group === title).map(({ value, label }) => ({ value, label }))
    return items.length === 0 ? [] : [{ group: title, items }]
  })
}
