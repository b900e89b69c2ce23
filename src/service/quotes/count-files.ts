import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { kindOfMedia, type MediaRule, mediaRuleOf, mediaTokens } from '../../engine/clients/tokens/media-tokens.ts'
import type { MediaFacts } from '../../engine/clients/wire/media-limits.ts'
import { fittedFile } from '../../engine/media/fitted-size.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { SelectedModel } from './select-model.ts'

/** A file of a task. */
export interface ShownFile extends MediaFacts {
  /** Calls whose prompts have it: its turn and all later ones. */
  readonly calls?: number
}

/** The media of each task that has some, a part each; null: a file that is not stored. */
export type MediaOfTasks = readonly (readonly (ShownFile | null)[])[]

/** Tokens of the files of some tasks, by the rule of their model’s provider. */
export interface FileTokens {
  /** In all scripted turns. */
  readonly of: Readonly<Record<MediaPart['type'], number>>
  /** Of the task with the most, each file once. */
  readonly most: number
  readonly counted: number
  /** Files that no rule is known for, or that do not tell what the rule asks for. */
  readonly uncounted: number
  /** Null where none is known. */
  readonly rule: MediaRule | null
}

/** @param media as they are sent; what is called on no endpoint is sent none */
export function countFiles({ protocol, snapshot }: Pick<SelectedModel, 'protocol' | 'snapshot'>, media: MediaOfTasks): FileTokens {
  const rule = protocol === null ? null : mediaRuleOf(protocol, snapshot.model)
  const sent = protocol === null ? [] : media
  const of = { image: 0, audio: 0, document: 0 }
  let [most, counted, uncounted] = [0, 0, 0]
  for (const files of sent) {
    let ofTask = 0
    for (const file of files) {
      const tokens = rule && file ? mediaTokens(rule, file) : null
      if (tokens === null || file === null) {
        uncounted += 1
        continue
      }
      counted += 1
      ofTask += tokens
      of[kindOfMedia(file.media_type)] += tokens * (file.calls ?? 1)
    }
    most = Math.max(most, ofTask)
  }
  return { of, most, counted, uncounted, rule }
}

/** Files as they are sent where a profile states `max_image_pixels`; the bytes of a resized one are not known yet, and are taken to be no fewer. */
export function filesAsSent(media: MediaOfTasks, maxImagePixels: number | undefined): MediaOfTasks {
  return maxImagePixels === undefined ? media : media.map(files => files.map(file => file && fittedFile(file, maxImagePixels)))
}

/** How the files of a selection were counted, beside the count of its texts; empty where it has none. */
export function describeFileCount({ counted, uncounted, rule }: FileTokens): string {
  const known = rule && counted > 0 ? ` ${namedFiles(counted)} counted by ${describeRule(rule)}.` : ''
  return known + uncountedFiles(uncounted)
}

export function uncountedFiles(count = 0): string {
  return count === 0 ? '' : ` Not counted: ${namedFiles(count)}, for which no rule is known.`
}

export function describeRule({ provider, states }: MediaRule): string {
  return `${provider}’s rule (tokens: ${states})`
}

function namedFiles(count: number): string {
  return count === 1 ? '1 file' : `${formatCount(count)} files`
}
