import { createHash } from 'node:crypto'
import { canonicalJson } from '../../content/benchmarks/content-digest.ts'
import type { BenchmarkDefinition } from '../../tasks/definition.ts'
import { checkImport, type ImportCheck } from './check-import.ts'
import type { OpenedOrder } from './import-order.ts'
import { listedProblems, noShots, Tally, type Tallied } from './import-tally.ts'
import { importLimits } from './limits.ts'
import type { RemoteMedia } from '../media/remote-media.ts'
import type { Survey } from './mapped-table.ts'
import type { OrderFault } from './order-fault.ts'

interface CheckedOrder {
  readonly check: ImportCheck
  /** Null where something is wrong with it. */
  readonly definition: BenchmarkDefinition | null
}

/** Reads all files of an order once, and says what they hold and which benchmark that is. */
export async function checkOrder({
  sources,
  shots,
  warnings = [],
  survey,
  givenShots,
  definedByFiles,
  judged,
  leftParts,
  noted,
  media,
  define,
}: OpenedOrder): Promise<CheckedOrder> {
  const found = survey ? await survey() : null
  // A row that was only looked at is read again, and then says what is wrong with it.
  media?.remote?.takeFault()
  const read = withSurvey(await checkImport(sources, shots), found, sources[0]?.name ?? '')
  const shown = givenShots && givenShots.length > 0 ? { shots: givenShots } : {}
  const shows = media && media.files > 0 ? { files: media.files, bytes: media.bytes } : null
  const check = {
    ...withRemote(withParts(read, leftParts?.() ?? { parts: [], isAccepted: false }), media?.remote ?? null, sources[0]?.name ?? ''),
    ...shown,
    media: shows,
    judged: judged?.() ?? [],
    warnings: [...warnings, ...(found?.warnings ?? []), ...read.warnings, ...(noted?.() ?? [])],
  }
  if (check.problemCount > 0) return { check, definition: null }
  const definition = define(check)
  return { check: definedByFiles ? { ...check, digest: digestWith(check, definition) } : check, definition }
}

/** Parts that no task has, in the order of lines among what else is wrong or left out. */
function withParts(check: ImportCheck, { parts, isAccepted }: ReturnType<NonNullable<OpenedOrder['leftParts']>>): ImportCheck {
  if (parts.length === 0) return check
  const listed = <Item extends { readonly line: number | null }>(items: readonly Item[]) =>
    items.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, listedProblems)
  return isAccepted
    ? { ...check, leftOut: listed([...check.leftOut, ...parts]), leftOutCount: check.leftOutCount + parts.length }
    : { ...check, problems: listed([...check.problems, ...parts]), problemCount: check.problemCount + parts.length }
}

/** Files that are not there are not shown, and those that no yes covers are a fault of the whole. */
function withRemote(check: ImportCheck, remote: RemoteMedia | null, file: string): ImportCheck {
  if (!remote) return check
  const problems = remote.problems().map(message => ({ file, line: null, message }))
  const isShown = ({ media }: { readonly media: string }) => !remote.isPlaceholder(media)
  return {
    ...check,
    remote: remote.hosts(),
    remoteHosts: remote.hostCount,
    preview: check.preview.map(row => ({ ...row, media: row.media.filter(isShown) })),
    problems: [...problems, ...check.problems].slice(0, listedProblems),
    problemCount: check.problemCount + problems.length,
  }
}

/** Keys that can be read in two ways are one fault of the file, not one of each of its rows. */
function withSurvey(check: ImportCheck, survey: Survey | null, file: string): ImportCheck {
  if (!survey) return check
  const found = { ...check, answerKey: survey.answerKey, settled: survey.columns, splits: survey.splits }
  if (survey.fault === null) return found
  return { ...found, problems: [{ file, line: null, message: survey.fault }], problemCount: 1 }
}

/** What is said of an import whose settings are refused, so that no row was read. */
export function refusedImport({ problems, choices }: Pick<OrderFault, 'problems' | 'choices'>): ImportCheck {
  const nothing = new Tally(noShots, importLimits).result()
  return {
    ...nothing,
    problems,
    problemCount: problems.length,
    contentSha256: new Map(),
    answerKey: null,
    settled: null,
    splits: [],
    judged: [],
    choices,
    media: null,
    remote: [],
    remoteHosts: 0,
  }
}

/** Digest over content, prompts and grading. */
function digestWith({ digest, shots }: Tallied, { profiles }: BenchmarkDefinition): string {
  return createHash('sha256').update(canonicalJson({ digest, shots, profiles })).digest('hex')
}
