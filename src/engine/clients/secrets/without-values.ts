import { includesText, replaceText } from '../../../lib/find-text.ts'
import { removed } from '../../../lib/scrub-secrets.ts'
import { encodedForms } from './secret-forms.ts'

/** A text without the values of secrets, in any of their usual encodings. */
export function withoutSecretValues(text: string, secrets: readonly string[]): string {
  return secretRemover([text], secrets)?.(text) ?? text
}

/**
 * Removes the values of secrets from any of some texts. What the secrets look like is found out once, however many texts there are.
 * @returns null where none of the texts holds one
 */
export function secretRemover(texts: readonly string[], secrets: readonly string[]): ((text: string) => string) | null {
  const all = texts.join('\n')
  const present = encodedForms(secrets).filter(form => includesText(all, form))
  return present.length === 0 ? null : text => present.reduce((rest, form) => replaceText(rest, form, removed), text)
}
