import { sampleNotice } from '../../contract/runs/call-notes.ts'
import type { CallNote } from './model-client.ts'

/**
 * Notes that another model answered than the requested one, by the provider's word. A dated release of the model, an alias such as
 * `-latest`, a file's folder and the name of a vendor in front are the same model.
 */
export function servedModelNotes(asked: string, served: string | undefined): CallNote[] {
  if (served === undefined || served.trim() === '' || isSameModel(asked, served)) return []
  const { code, message } = sampleNotice('model_differs')
  return [{ code, message: `${message} Requested: “${asked}”, answered by: “${served}”.` }]
}

export function isSameModel(a: string, b: string): boolean {
  const [one, other] = [plain(a), plain(b)]
  // Of two releases of one model another than the requested answered.
  return one.name === other.name && (one.date === null || other.date === null || one.date === other.date)
}

/** Release dates (`-20250514`, `-2024-08-06`, `-0613`), `-001`, `@…`, `:latest`, `:free`, `-latest`. */
const release =
  /(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|\d{2}-\d{2}|\d{2}-\d{4}|latest)|:(?:latest|free|nitro|floor|extended|thinking|online|exacto)|-v\d+(?::\d+)?)$/

/** Bedrock's region and vendor: `us.anthropic.`. */
const vendor = /^(?:[a-z][a-z-]*\.)+(?=[a-z])/

function plain(name: string): { readonly name: string; readonly date: string | null } {
  const last = name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? ''
  let rest = last.replace(/\.gguf$/, '').replace(vendor, '')
  let date: string | null = null
  for (let found = release.exec(rest); found; found = release.exec(rest)) {
    rest = rest.slice(0, found.index)
    const digits = found[0].replaceAll(/\D/g, '')
    if (digits.length >= 6 && !found[0].includes('v')) date ??= digits
  }
  // OpenRouter writes 4.5 where Anthropic has 4-5.
  return { name: rest.replaceAll('.', '-'), date }
}
