import { sampleNotice } from '../../contract/index.ts'
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
  return plain(a) === plain(b)
}

/** Release dates (`-20250514`, `-2024-08-06`, `-0613`), `-001`, `@…`, `:latest`, `:free`, `-latest`. */
const release =
  /(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|\d{2}-\d{2}|\d{2}-\d{4}|latest)|:(?:latest|free|nitro|floor|extended|thinking)|-v\d+(?::\d+)?)$/

function plain(name: string): string {
  const last = name.trim().toLowerCase().split(/[/\\]/).at(-1) ?? ''
  let rest = last.replace(/\.gguf$/, '')
  for (let shorter = rest.replace(release, ''); shorter !== rest; shorter = rest.replace(release, '')) rest = shorter
  return rest
}
