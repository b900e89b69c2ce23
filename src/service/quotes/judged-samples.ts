import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { kindOfMedia } from '../../engine/clients/tokens/media-tokens.ts'
import { evaluatorScorer } from '../../engine/execution/scheduler/ports.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import type { JudgedSize } from '../evaluators/index.ts'
import type { TaskParts } from './check-parts.ts'
import type { FrozenSelection } from './select-tasks.ts'

/** What evaluators would be shown of the samples of one profile. Characters are per sample. */
export interface JudgedSamples {
  readonly samples: number
  /** With those to the earlier turns of scripted conversations. */
  readonly answers: number
  /** On the average. */
  readonly promptCharacters: number
  /** On the average, in bytes: a judge's prompt is bounded by them. */
  readonly referenceBytes: number
  /** Of one answer, at most. */
  readonly answerCharacters: number
  /** Kinds of the files of one task, each file, at most. */
  readonly files: readonly MediaPart['type'][]
  /** Of all tasks, and how often each is shown. */
  readonly shown: NonNullable<JudgedSize['shown']>
}

/** Characters of an English token. */
export const charactersPerToken = 4
/** Tasks read in one turn of the event loop. */
const chunk = 50

/**
 * @param tokensOf prompt tokens of all tasks of a selection, and output tokens of one sample at most, and answers of one epoch
 * @param chosen evaluators beside those of the profiles
 */
export async function judgedSamples(
  selections: readonly FrozenSelection[],
  { epochs, evaluators: chosen }: { readonly epochs: number; readonly evaluators: readonly string[] },
  tokensOf: (selection: FrozenSelection, index: number) => { readonly prompts: number; readonly answer: number; readonly answers: number },
  /** Of each task that has some, by selection. */
  media: readonly TaskParts['media'][],
  catalog: Pick<Catalog, 'tasks'>,
): Promise<JudgedSamples[]> {
  const found: JudgedSamples[] = []
  for (const [i, selection] of selections.entries()) {
    const { tasks, profile } = selection
    const isJudged = chosen.length > 0 || profile.metrics.some(({ scorer }) => scorer === evaluatorScorer)
    const { prompts, answer, answers } = tokensOf(selection, i)
    const each = (total: number) => total / Math.max(1, tasks.length)
    found.push({
      samples: tasks.length * epochs,
      answers: answers * epochs,
      promptCharacters: each(prompts * charactersPerToken),
      referenceBytes: isJudged ? each(await referenceBytes(tasks, catalog)) : 0,
      answerCharacters: answer * charactersPerToken,
      files: mostFiles(media[i] ?? []),
      shown: { files: (media[i] ?? []).flat(), times: epochs },
    })
  }
  return found
}

/** A list that has as many files of each kind as any task has. */
function mostFiles(media: TaskParts['media']): MediaPart['type'][] {
  return (['image', 'audio', 'document'] as const).flatMap(kind => {
    const most = media.reduce(
      (found, files) => Math.max(found, files.filter(file => file && kindOfMedia(file.media_type) === kind).length),
      0,
    )
    return Array.from({ length: most }, () => kind)
  })
}

async function referenceBytes(tasks: FrozenSelection['tasks'], catalog: Pick<Catalog, 'tasks'>): Promise<number> {
  let bytes = 0
  for (let from = 0; from < tasks.length; from += chunk) {
    for (const { targets } of catalog.tasks(tasks.slice(from, from + chunk).map(({ no }) => no)))
      for (const target of targets) bytes += Buffer.byteLength(target) + 1
    await nextTurn()
  }
  return bytes
}
