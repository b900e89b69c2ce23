import { type EvaluatorDefinition, EvaluatorDefinition as EvaluatorDefinitionSchema, type EvaluatorSnapshot } from '../../contract/index.ts'

/** What is typed in the editor, as text where the definition holds lists or JSON. */
export interface DefinitionForm {
  readonly name: string
  readonly description: string
  readonly kind: EvaluatorDefinition['kind']
  readonly scorer: string
  /** JSON. */
  readonly options: string
  readonly targetFrom: 'expected' | 'label'
  /** `managed:<route id>` or `connection:<connection id>`. */
  readonly models: readonly string[]
  readonly mode: 'rubric' | 'classification' | 'pairwise' | 'score'
  readonly instructions: string
  /** One verdict per line: `value: meaning`. */
  readonly menu: string
  /** One criterion per line: `points: text`. */
  readonly criteria: string
  readonly reference: 'expected' | 'none'
  readonly votes: number
  readonly combine: 'majority' | 'mean' | 'unanimous'
  readonly swap: boolean
  readonly explanation: 'before' | 'after' | 'none'
  readonly remoteScorerId: string
  readonly operation: 'all' | 'any' | 'weighted'
  readonly parts: readonly string[]
}

export const emptyForm: DefinitionForm = {
  name: '',
  description: '',
  kind: 'deterministic',
  scorer: 'assay/exact_match',
  options: '{}',
  targetFrom: 'expected',
  models: [],
  mode: 'classification',
  instructions: '',
  menu: 'pass: It is right.\nfail: It is wrong.',
  criteria: '',
  reference: 'none',
  votes: 1,
  combine: 'majority',
  swap: true,
  explanation: 'before',
  remoteScorerId: '',
  operation: 'all',
  parts: [],
}

/** The definition, or what is wrong with the form. */
export type ReadForm = { readonly definition: EvaluatorDefinition } | { readonly problem: string }

export function definitionOf(form: DefinitionForm): ReadForm {
  const raw = rawDefinition(form)
  if (typeof raw === 'string') return { problem: raw }
  const parsed = EvaluatorDefinitionSchema.safeParse(raw)
  if (parsed.success) return { definition: parsed.data }
  const [issue] = parsed.error.issues
  return { problem: issue ? `${issue.path.join('.')}: ${issue.message}` : 'The definition is not complete.' }
}

function rawDefinition(form: DefinitionForm): object | string {
  if (form.kind === 'deterministic') {
    let options: unknown
    try {
      options = JSON.parse(form.options)
    } catch {
      return 'Options must be JSON.'
    }
    return { kind: form.kind, scorer: form.scorer, options, target_from: form.targetFrom }
  }
  if (form.kind === 'remote')
    return form.remoteScorerId === '' ? 'Choose a remote scorer.' : { kind: form.kind, remote_scorer_id: form.remoteScorerId, options: {} }
  if (form.kind === 'composite')
    return form.parts.length === 0
      ? 'Choose at least one part.'
      : { kind: form.kind, operation: form.operation, parts: form.parts.map(id => ({ evaluator_version_id: id })) }
  if (form.models.length === 0) return 'Choose at least one judge.'
  if (form.instructions.trim() === '') return 'Write the judge’s instructions.'
  return {
    kind: form.kind,
    judges: form.models.map(model => ({ model: modelOf(model) })),
    mode: form.mode,
    instructions: form.instructions,
    criteria: form.mode === 'rubric' ? criteriaOf(form.criteria) : [],
    menu: form.mode === 'classification' || form.mode === 'score' ? menuOf(form.menu, form.mode) : [],
    reference: form.reference,
    votes: form.votes,
    combine: form.combine,
    swap: form.mode === 'pairwise' && form.swap,
    explanation: form.explanation,
  }
}

function modelOf(value: string) {
  const id = value.slice(value.indexOf(':') + 1)
  return value.startsWith('connection:') ? { kind: 'connection', connection_id: id } : { kind: 'managed', route_id: id }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

function menuOf(text: string, mode: DefinitionForm['mode']) {
  return linesOf(text).map((line, i) => {
    const [value = '', ...meaning] = line.split(':')
    return { value: value.trim(), meaning: meaning.join(':').trim(), ...(mode === 'classification' && { passes: i === 0 }) }
  })
}

function criteriaOf(text: string) {
  return linesOf(text).map((line, i) => {
    const [points = '', ...rest] = line.split(':')
    const isNumber = rest.length > 0 && /^[+-]?\d+(\.\d+)?$/.test(points.trim())
    return { id: `c${i + 1}`, text: isNumber ? rest.join(':').trim() : line, points: isNumber ? Number(points) : 1 }
  })
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
        targetFrom: definition.target_from === 'label' ? 'label' : 'expected',
      }
    case 'remote':
      return { ...base, remoteScorerId: definition.remote_scorer_id }
    case 'composite':
      return { ...base, operation: definition.operation, parts: definition.parts.map(part => part.evaluator_version_id) }
    case 'model_graded': {
      const { judges, mode, instructions, menu, criteria, reference, votes, combine, swap, explanation } = definition
      return {
        ...base,
        models: judges.map(({ model }) => (model.kind === 'managed' ? `managed:${model.route_id}` : `connection:${model.connection_id}`)),
        mode,
        instructions,
        menu: menu.map(({ value, meaning }) => (meaning === '' ? value : `${value}: ${meaning}`)).join('\n'),
        criteria: criteria.map(({ points, text }) => `${points}: ${text}`).join('\n'),
        reference,
        votes,
        combine,
        swap: swap ?? mode === 'pairwise',
        explanation,
      }
    }
  }
}
