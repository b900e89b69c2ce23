import { removed } from '../../../lib/scrub-secrets.ts'
import { encodedForms } from './secret-forms.ts'

/** A text without the values of secrets, in any of their usual encodings. */
export function withoutSecretValues(text: string, secrets: readonly string[]): string {
  return encodedForms(secrets).reduce((rest, form) => rest.replaceAll(form, removed), text)
}
