import { inputOf } from '../../content/benchmarks/task-preview.ts'
import { isMediaPart, type MediaPart, partsOf } from '../../../contract/messages/messages.schemas.ts'
import type { Task } from '../../tasks/task.ts'

const mostCharacters = 4000

/** A row as the record of an import shows it; long texts are cut. */
export interface PreviewRow {
  readonly line: number
  readonly task_id: string
  readonly input: string
  readonly targets: string[]
  readonly choices: string[] | null
  /** What the model is sent; null until it is known how tasks are asked. */
  readonly prompt: string | null
  /** What it shows, in order. */
  readonly media: MediaPart[]
}

export function previewRow(line: number, { id, fields, conversations, targets, choices }: Task): PreviewRow {
  return {
    line,
    task_id: id,
    input: shorten(withoutDigests(inputOf({ fields, conversations }))),
    targets: targets.map(shorten),
    choices: choices && choices.map(shorten),
    prompt: null,
    media: Object.values(conversations ?? {})
      .flat()
      .flatMap(partsOf)
      .filter(isMediaPart),
  }
}

/** Media are shown beside the text. */
function withoutDigests(text: string): string {
  return text.replaceAll(/\[(image|audio|document) sha256:[0-9a-f]{64}\]/g, '[$1]')
}

function shorten(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters).toWellFormed()}…` : text
}
