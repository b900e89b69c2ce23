import { readSnippet } from './read-snippet.ts'

/** What a recommended call has in place of the pasted one's; null: the provider's default. */
export interface SnippetChange {
  readonly model: string
  readonly effort: string | null
  /** Null: the prompt of the call. */
  readonly prompt: { readonly system_prompt: string | null; readonly prompt_template: string } | null
}

export interface WrittenSnippet {
  readonly code: string
  /** What a person still has to change by hand, each a sentence. */
  readonly left: readonly string[]
}

const effort = /((["']?)(?:reasoning_effort|reasoningEffort|effort)\2\s{0,9}[:=]\s{0,9})(["'`])([a-z]{1,20})\3/g

/**
 * The pasted code with the recommended model and effort in it, in whatever language it is. Null where the code does not read as that
 * call afterwards: then none of it was understood well enough to be changed.
 */
export function writeSnippet(snippet: string, change: SnippetChange): WrittenSnippet | null {
  const before = readSnippet(snippet)
  if (before.model === null) return null
  const named = replaceLiteral(snippet, before.model, change.model)
  const code =
    change.effort === null
      ? named
      : named.replaceAll(effort, (_, head: string, __, mark: string) => `${head}${mark}${change.effort}${mark}`)
  const after = readSnippet(code)
  if (after.model !== change.model) return null
  const left = [
    ...(after.effort === change.effort
      ? []
      : [change.effort === null ? `Remove the reasoning effort “${after.effort}”.` : `Set the reasoning effort to “${change.effort}”.`]),
    ...(change.prompt === null ? [] : ['Replace the prompt by the one below.']),
  ]
  return { code, left }
}

/** Texts that are exactly the old one, with the same quotation marks. */
function replaceLiteral(code: string, old: string, now: string): string {
  return ['"', "'", '`'].reduce((text, mark) => text.replaceAll(`${mark}${old}${mark}`, () => `${mark}${now}${mark}`), code)
}
