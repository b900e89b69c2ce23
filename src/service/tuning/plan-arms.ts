import { invalidField } from '../../contract/errors.ts'
import { currentLabel, type NewTuneQuote, type TuneCandidate } from '../../contract/tuning/quotes.schemas.ts'
import type { TunePrompt } from '../../contract/tuning/search.schemas.ts'
import { canonicalJson } from '../../engine/content/benchmarks/content-digest.ts'
import type { ApprovedDraft } from './sessions.service.ts'

/** One arm before it is quoted. */
export interface PlannedArm {
  readonly label: string
  readonly model: TuneCandidate['model']
  readonly effort: TuneCandidate['effort']
  /** Null: the prompt of the call. */
  readonly prompt: TunePrompt | null
}

/**
 * The current call and the candidates.
 * @throws ApiError validation_error for one that is the current call, or another candidate, under a second name
 */
export function planArms({ call }: Pick<ApprovedDraft, 'call'>, { candidates }: Pick<NewTuneQuote, 'candidates'>): PlannedArm[] {
  const arms: PlannedArm[] = [{ label: currentLabel, model: call.model, effort: call.effort, prompt: null }]
  const ownPrompt = canonicalJson({ system_prompt: call.system_prompt, prompt_template: call.prompt_template })
  for (const [i, { label, model, effort, prompt }] of candidates.entries()) {
    const loc = ['body', 'candidates', i]
    if (prompt && !prompt.prompt_template.includes('{input}'))
      throw invalidField([...loc, 'prompt', 'prompt_template'], 'must contain {input}, or every case asks the same')
    const arm: PlannedArm = { label, model, effort, prompt: prompt && canonicalJson(prompt) !== ownPrompt ? prompt : null }
    if (arms.some(other => other.label === label))
      throw invalidField([...loc, 'label'], `"${label}" is taken by another arm; choose another label`)
    const same = arms.find(other => isSame(other, arm))
    if (same) throw invalidField(loc, `"${label}" is the same model, effort and prompt as "${same.label}"`, 'duplicate')
    arms.push(arm)
  }
  return arms
}

function isSame(a: PlannedArm, b: PlannedArm): boolean {
  const identity = ({ model, effort, prompt }: PlannedArm) => canonicalJson([modelKey(model), effort, prompt])
  return identity(a) === identity(b)
}

function modelKey(model: TuneCandidate['model']): string {
  return model.kind === 'managed' ? `route ${model.route_id}` : `connection ${model.connection_id.toLowerCase()}`
}
