import { invalidField } from '../../contract/errors.ts'
import type { TuneDraft } from '../../contract/tuning/draft.schemas.ts'
import type { DraftContent } from './sessions.store.ts'

/** What approval still needs, in words for the person who approves. */
export function missingFrom({ call, grader, case_count: cases }: Pick<TuneDraft, 'call' | 'grader' | 'case_count'>): string[] {
  return [
    ...(call ? [] : ['Describe the model call to improve.']),
    ...(call && !call.prompt_template.includes('{input}') ? ['Put {input} into the prompt template, or every case asks the same.'] : []),
    ...(grader ? [] : ['Choose a grader, which decides whether an answer is right.']),
    ...(cases > 0 ? [] : ['Add at least one case.']),
  ]
}

/** @throws ApiError validation_error naming every missing part */
export function requireComplete(draft: Pick<TuneDraft, 'call' | 'grader' | 'case_count'>): void {
  const missing = missingFrom(draft)
  if (missing.length > 0) throw invalidField(['body'], `the draft is incomplete: ${missing.join(' ')}`, 'incomplete')
}

/** @throws ApiError validation_error for an evaluator version that does not exist here */
export function checkEvaluator(grader: DraftContent['grader'], hasEvaluator: (id: string) => boolean): void {
  if (grader !== null && 'evaluator_version_id' in grader && !hasEvaluator(grader.evaluator_version_id))
    throw invalidField(
      ['body', 'grader', 'evaluator_version_id'],
      `there is no evaluator version "${grader.evaluator_version_id}" in this workspace`,
    )
}
