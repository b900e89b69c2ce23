import { describeFirst } from '../../contract/describe-issue.ts'
import {
  type Criterion,
  type EmbeddingDefinition,
  type EvaluatorDefinition,
  EvaluatorDefinition as EvaluatorDefinitionSchema,
  type JudgeDefinition,
  type JudgeModel,
  type MenuEntry,
} from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { EvaluatorSnapshot } from '../../contract/evaluators/evaluators.schemas.ts'
import { modelOf, valueOf } from '../quotes/model-value.ts'

export interface JudgeRow {
  /** `managed:<route id>` or `connection:<connection id>`. */
  readonly model: string
  readonly effort: JudgeModel['effort']
  /** Null sends none. */
  readonly temperature: number | null
}

export interface PartRow {
  readonly evaluatorVersionId: string
  readonly weight: number
}

/** What the editor holds: every field of every kind, so that a version that is opened and saved again loses nothing. */
export interface DefinitionForm {
  readonly name: string
  readonly description: string
  readonly kind: EvaluatorDefinition['kind']
  readonly scorer: string
  /** JSON, of the scorer or of the remote scorer. */
  readonly options: string
  readonly targetFrom: 'expected' | 'label' | 'metadata'
  readonly targetMetadata: string
  readonly judges: readonly JudgeRow[]
  readonly mode: JudgeDefinition['mode']
  readonly instructions: string
  readonly menu: readonly MenuEntry[]
  readonly criteria: readonly Criterion[]
  /** Empty: the default layout. */
  readonly template: string
  readonly reference: JudgeDefinition['reference']
  /** Empty: the last answer. A number is one turn. */
  readonly turns: '' | 'each' | number
  readonly votes: number
  readonly combine: JudgeDefinition['combine']
  /** Null: the mode's default. */
  readonly swap: boolean | null
  /** Null: the default rule. */
  readonly swapRule: NonNullable<JudgeDefinition['swap_rule']> | null
  readonly explanation: JudgeDefinition['explanation']
  /** Of the embedding model; empty: none chosen. */
  readonly connectionId: string
  readonly measure: EmbeddingDefinition['measure']
  readonly threshold: number
  readonly negated: boolean
  readonly remoteScorerId: string
  readonly operation: 'all' | 'any' | 'weighted'
  readonly parts: readonly PartRow[]
  /** Null: the weighted mean is the score. */
  readonly passThreshold: number | null
}

export const emptyForm: DefinitionForm = {
  name: '',
  description: '',
  kind: 'deterministic',
  scorer: 'assay/exact_match',
  options: '{}',
  targetFrom: 'expected',
  targetMetadata: '',
  judges: [],
  mode: 'classification',
  instructions: '',
  menu: [
    { value: 'pass', meaning: 'It is right.', passes: true },
    { value: 'fail', meaning: 'It is wrong.', passes: false },
  ],
  criteria: [],
  template: '',
  reference: 'none',
  turns: '',
  votes: 1,
  combine: 'majority',
  swap: null,
  swapRule: null,
  explanation: 'before',
  connectionId: '',
  measure: 'cosine',
  threshold: 0.75,
  negated: false,
  remoteScorerId: '',
  operation: 'all',
  parts: [],
  passThreshold: null,
}

/** The definition, or what is wrong with the form. */
export type ReadForm = { readonly definition: EvaluatorDefinition } | { readonly problem: string }

export function definitionOf(form: DefinitionForm): ReadForm {
  const raw = rawDefinition(form)
  if (typeof raw === 'string') return { problem: raw }
  const parsed = EvaluatorDefinitionSchema.safeParse(raw)
  if (parsed.success) return { definition: parsed.data }
  return { problem: `${describeFirst(parsed.error.issues, 'The definition')}.` }
}

function rawDefinition(form: DefinitionForm): object | string {
  if (form.kind === 'deterministic' || form.kind === 'remote') {
    let options: unknown
    try {
      options = JSON.parse(form.options)
    } catch {
      return 'Options must be JSON.'
    }
    if (form.kind === 'deterministic') return { kind: form.kind, scorer: form.scorer, options, target_from: targetOf(form) }
    return form.remoteScorerId === '' ? 'Choose a remote scorer.' : { kind: form.kind, remote_scorer_id: form.remoteScorerId, options }
  }
  if (form.kind === 'embedding') return rawEmbedding(form)
  return form.kind === 'composite' ? rawComposite(form) : rawJudge(form)
}

const targetOf = ({ targetFrom, targetMetadata }: DefinitionForm) => (targetFrom === 'metadata' ? { metadata: targetMetadata } : targetFrom)

function rawEmbedding(form: DefinitionForm): object | string {
  const { kind, connectionId, measure, threshold, negated } = form
  if (connectionId === '') return 'Choose an embedding model.'
  return { kind, connection_id: connectionId, measure, threshold, negated, target_from: targetOf(form) }
}

function rawComposite({ operation, parts, passThreshold }: DefinitionForm): object | string {
  if (parts.length === 0) return 'Choose at least one part.'
  return {
    kind: 'composite',
    operation,
    parts: parts.map(({ evaluatorVersionId, weight }) => ({ evaluator_version_id: evaluatorVersionId, weight })),
    ...(passThreshold !== null && { pass_threshold: passThreshold }),
  }
}

function rawJudge(form: DefinitionForm): object | string {
  if (form.judges.length === 0) return 'Choose at least one judge.'
  if (form.instructions.trim() === '') return 'Write the judge’s instructions.'
  return {
    kind: 'model_graded',
    judges: form.judges.map(({ model, effort, temperature }) => ({ model: modelOf(model), effort, temperature })),
    mode: form.mode,
    instructions: form.instructions,
    criteria: form.mode === 'rubric' ? form.criteria : [],
    menu: form.menu,
    ...(form.template !== '' && { template: form.template }),
    reference: form.reference,
    ...(form.turns !== '' && form.mode !== 'pairwise' && { turns: form.turns }),
    votes: form.votes,
    combine: form.combine,
    ...(form.swap !== null && { swap: form.swap }),
    ...(form.swapRule !== null && { swap_rule: form.swapRule }),
    explanation: form.explanation,
  }
}

/** A saved version as the editor shows it. */
export function formOf({ name, description, definition }: Pick<EvaluatorSnapshot, 'name' | 'description' | 'definition'>): DefinitionForm {
  const base = { ...emptyForm, name, description, kind: definition.kind }
  switch (definition.kind) {
    case 'deterministic':
      return {
        ...base,
        scorer: definition.scorer,
        options: JSON.stringify(definition.options, null, 2),
        ...targetFields(definition.target_from),
      }
    case 'embedding': {
      const { connection_id: connectionId, measure, threshold, negated, target_from } = definition
      return { ...base, connectionId, measure, threshold, negated, ...targetFields(target_from) }
    }
    case 'remote':
      return { ...base, remoteScorerId: definition.remote_scorer_id, options: JSON.stringify(definition.options, null, 2) }
    case 'composite':
      return {
        ...base,
        operation: definition.operation,
        parts: definition.parts.map(part => ({ evaluatorVersionId: part.evaluator_version_id, weight: part.weight })),
        passThreshold: definition.pass_threshold ?? null,
      }
    case 'model_graded': {
      const {
        judges,
        mode,
        instructions,
        menu,
        criteria,
        template,
        reference,
        turns = '',
        votes,
        combine,
        swap,
        swap_rule: swapRule,
        explanation,
      } = definition
      return {
        ...base,
        judges: judges.map(({ model, effort, temperature }) => ({
          model: valueOf(model),
          effort,
          temperature,
        })),
        mode,
        instructions,
        menu,
        criteria,
        template: template ?? '',
        reference,
        turns,
        votes,
        combine,
        swap: swap ?? null,
        swapRule: swapRule ?? null,
        explanation,
      }
    }
  }
}

function targetFields(target: EmbeddingDefinition['target_from']): Pick<DefinitionForm, 'targetFrom' | 'targetMetadata'> {
  return typeof target === 'string'
    ? { targetFrom: target, targetMetadata: '' }
    : { targetFrom: 'metadata', targetMetadata: target.metadata }
}

/** The verdicts that a mode begins with; those of the other modes would be refused. */
export function menuOfMode(mode: JudgeDefinition['mode']): readonly MenuEntry[] {
  if (mode === 'classification') return emptyForm.menu
  if (mode === 'score') return [1, 2, 3, 4, 5].map(value => ({ value: String(value), meaning: '' }))
  return []
}
