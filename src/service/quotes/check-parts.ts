import type { ProbedCapability } from '../../contract/connections/connections.schemas.ts'
import type { MediaPart } from '../../contract/messages/messages.schemas.ts'
import type { CompatibilityCheck } from '../../contract/quotes/quotes.schemas.ts'
import {
  formatMeasure,
  limitsOf,
  type MediaFacts,
  mediaLimitsVersion,
  type PassedLimit,
  passedLimits,
} from '../../engine/clients/wire/media-limits.ts'
import { filesSentBy, mediaTypeFault, shapeFault, type SpokenProtocol } from '../../engine/clients/wire/sent-parts.ts'
import { kindOfMedia } from '../../engine/clients/tokens/media-tokens.ts'
import type { TaskShape } from '../../engine/tasks/task-shape.ts'
import { countFiles, describeRule, filesAsSent, type MediaOfTasks } from './count-files.ts'
import type { SelectedModel } from './select-model.ts'

/** The part of the tasks of a selection that is more than one question in plain text. */
export interface TaskParts {
  readonly shapes: readonly TaskShape[]
  readonly media: MediaOfTasks
  /** Why this machine cannot resize images; absent where it can, or none is to be resized. */
  readonly resizeFault?: string | null
}

type Model = Pick<SelectedModel, 'snapshot' | 'protocol' | 'tested'>
type Verdict = Pick<CompatibilityCheck, 'status' | 'detail'>

const capabilityOf: Readonly<Record<MediaPart['type'], ProbedCapability>> = { image: 'images', audio: 'audio', document: 'documents' }
const mediaKinds = ['image', 'audio', 'document'] as const

/** Parts and files that the model's endpoint does not take: such tasks fail here, with their number, and nothing is left out of a prompt. */
export function checkParts(
  model: Model,
  profileId: string,
  parts: TaskParts,
  tasks: number,
  maxImagePixels?: number,
): CompatibilityCheck[] {
  const { shapes, media } = parts
  const { protocol } = model
  if (protocol === null || shapes.length === 0) return []
  const sent = filesAsSent(media, maxImagePixels)
  return [
    ...formVerdicts(model, protocol, shapes, tasks),
    ...testVerdicts(model, shapes, tasks),
    ...fileVerdicts(model, protocol, media, tasks),
    ...limitVerdicts(model, protocol, sent, tasks),
    ...(maxImagePixels === undefined ? [] : sizeVerdicts(maxImagePixels, parts, tasks)),
    ...(media.length === 0 ? [] : [tokensVerdict(model, sent, tasks)]),
  ].map(verdict => ({ check: 'model_capabilities', profile_id: profileId, ...verdict }))
}

/** Kinds of parts that the protocol has no form for. */
function formVerdicts({ snapshot }: Model, protocol: SpokenProtocol, shapes: readonly TaskShape[], tasks: number): Verdict[] {
  const counts = countEach(shapes.map(({ parts }) => parts.map(part => shapeFault(protocol, part)).filter(fault => fault !== null)))
  return [...counts].map(([fault, count]) => ({
    status: 'fail',
    detail: `${count} of ${tasks} tasks cannot be sent: ${snapshot.title} takes ${fault} (protocol ${titleOf(protocol)}). Choose another model, or tasks without them.`,
  }))
}

/** What the connection's check found when it showed the model a picture, a recording or a document. */
function testVerdicts({ snapshot, tested }: Model, shapes: readonly TaskShape[], tasks: number): Verdict[] {
  return mediaKinds.flatMap((kind): Verdict[] => {
    const count = shapes.filter(({ parts }) => parts.some(part => part.endsWith(`/${kind}`))).length
    if (count === 0 || tested === null) return []
    const capability = capabilityOf[kind]
    const found = tested.capabilities.find(one => one.capability === capability)
    const on = tested.checked_at.slice(0, 10)
    if (!found)
      return [
        {
          status: 'warn',
          detail: `Whether ${snapshot.title} takes ${capability} is not known: its check did not test it. Add “${capability}” to the capabilities that the connection tests.`,
        },
      ]
    return [
      found.verified
        ? { status: 'pass', detail: `${snapshot.title} took ${capability} when it was checked on ${on}.` }
        : {
            status: 'fail',
            detail: `${count} of ${tasks} tasks have ${capability}, which ${snapshot.title} did not take when it was checked on ${on}: ${found.detail} Check the connection again, or choose another model.`,
          },
    ]
  })
}

/** Files that are missing or that the protocol's servers cannot read. */
function fileVerdicts({ snapshot }: Model, protocol: SpokenProtocol, media: TaskParts['media'], tasks: number): Verdict[] {
  const missing = media.filter(files => files.includes(null)).length
  const kinds = filesSentBy(protocol)
  const unread = countEach(
    media.map(files =>
      files
        // A kind that the protocol has no form for is named already.
        .filter(file => file && kinds.includes(kindOfMedia(file.media_type)))
        .map(file => file && mediaTypeFault(protocol, file.media_type))
        .filter(fault => fault !== null),
    ),
  )
  return [
    ...(missing === 0
      ? []
      : [{ status: 'fail' as const, detail: `${missing} of ${tasks} tasks name files that are not stored. Import their data again.` }]),
    ...[...unread].map(([fault, count]) => ({
      status: 'fail' as const,
      detail: `${count} of ${tasks} tasks cannot be sent: ${snapshot.title} takes ${fault} (protocol ${titleOf(protocol)}). Convert the files, or choose another model.`,
    })),
  ]
}

/** Sizes and numbers of files that the provider refuses. */
function limitVerdicts({ snapshot }: Model, protocol: SpokenProtocol, media: TaskParts['media'], tasks: number): Verdict[] {
  const limits = limitsOf(protocol, snapshot.origin === null ? null : new URL(snapshot.origin).hostname)
  if (!limits) return []
  const { known, isOwn } = limits
  const passed = new Map<string, { limit: PassedLimit; most: number; count: number }>()
  for (const files of media)
    for (const limit of passedLimits(
      known,
      snapshot.model,
      files.filter(file => file !== null),
    )) {
      const seen = passed.get(limit.most)
      passed.set(limit.most, { limit, most: Math.max(seen?.most ?? 0, limit.found), count: (seen?.count ?? 0) + 1 })
    }
  return [...passed.values()].map(({ limit, most, count }) => {
    const whose = limit.only === null ? '' : ` for ${limit.only}`
    const mayDiffer = isOwn ? '' : ' Another server of this protocol may have other limits.'
    return {
      status: isOwn && limit.only === null ? 'fail' : 'warn',
      detail: `${count} of ${tasks} tasks pass a limit of ${known.provider} (as stated ${mediaLimitsVersion}): at most ${limit.most}${whose}; found up to ${formatMeasure(limit.measure, most)}. Make the files smaller, or choose other tasks.${mayDiffer}`,
    }
  })
}

const pixelsOf = (file: MediaFacts | null): number => (file?.width ?? 0) * (file?.height ?? 0)

/** Whether any image has more pixels than a profile sends. */
export const needsResizing = (media: TaskParts['media'], most: number): boolean =>
  media.some(files => files.some(file => pixelsOf(file) > most))

/** Images above the size that the profile states, which are resized; where that does not work here, none of them is sent as it is. */
function sizeVerdicts(most: number, { media, resizeFault = null }: TaskParts, tasks: number): Verdict[] {
  const passing = media.map(files => files.filter(file => pixelsOf(file) > most)).filter(files => files.length > 0)
  const [first] = passing.flat().toSorted((a, b) => pixelsOf(b) - pixelsOf(a))
  if (!first) return []
  const images = passing.flat().length
  const { width, height } = first
  const found = `${images} ${images === 1 ? 'image' : 'images'} in ${passing.length} of ${tasks} tasks ${images === 1 ? 'has' : 'have'} more than the ${most.toLocaleString('en')} pixels of the profile (max_image_pixels); the largest has ${width?.toLocaleString('en')} × ${height?.toLocaleString('en')}.`
  return [
    resizeFault === null
      ? { status: 'pass', detail: `${found} ${images === 1 ? 'It is' : 'They are'} resized before the call; each sample names both files.` }
      : {
          status: 'fail',
          detail: `${found} They cannot be resized: ${resizeFault} Run on another machine, or use a profile without the limit.`,
        },
  ]
}

/** Whether the estimate counts the tokens of the files. */
function tokensVerdict(model: Model, sent: MediaOfTasks, tasks: number): Verdict {
  const { counted, uncounted, rule } = countFiles(model, sent)
  const found = `${sent.length} of ${tasks} tasks contain images, audio or documents.`
  const bound = 'the upper bound takes the most that a provider states for one file.'
  if (rule && uncounted === 0) return { status: 'pass', detail: `${found} Their tokens are counted by ${describeRule(rule)}; ${bound}` }
  const which = counted === 0 ? 'Their tokens' : `The tokens of ${uncounted} of ${counted + uncounted} files`
  return {
    status: 'warn',
    detail: `${found} ${which} are not in the count, since no counting rule is known for ${model.snapshot.title}; ${bound}`,
  }
}

/** In how many of the lists each text is. */
function countEach(lists: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists) for (const text of new Set(list)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

const titleOf = (protocol: SpokenProtocol): string => protocol.replaceAll('_', ' ')
