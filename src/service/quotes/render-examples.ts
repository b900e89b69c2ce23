import type { Quote, QuoteExamples } from '../../contract/quotes/quotes.schemas.ts'
import { renderPrompt } from '../../engine/execution/samples/render-prompt.ts'
import { askedAs } from './asked-as.ts'
import type { Catalog } from '../catalog/catalog.types.ts'

/** The prompt of the first frozen task of each profile, where the profile still asks as it did when the quote was made. */
export function renderExamples(
  workspaceId: string,
  { profiles, execution }: Pick<Quote, 'profiles' | 'execution'>,
  taskNumbers: readonly (readonly number[])[],
  catalog: Pick<Catalog, 'profile' | 'tasks'>,
): QuoteExamples['items'] {
  return profiles.flatMap(({ profile_id, prompt_digest }, index) => {
    const entry = catalog.profile(workspaceId, profile_id)
    const first = taskNumbers[index]?.[0]
    if (!entry || first === undefined) return []
    const { promptRecipe, digest } = askedAs(entry, execution)
    if (digest !== prompt_digest) return []
    return catalog.tasks([first]).map(task => ({ profile_id, task_id: task.id, messages: renderPrompt(promptRecipe, task) }))
  })
}
