import type { SampleStatus } from '../../../../contract/runs/run.machine.ts'
import type { SampleDetail } from '../../../../contract/runs/samples.schemas.ts'

/** What the report hands to its explorer script, as JSON in data elements of the page. */
export interface ExplorerConfig {
  readonly profiles: readonly { readonly title: string; readonly metrics: readonly string[] }[]
  /** Columns of the list; all metrics of all profiles by id, in the order they first appear. */
  readonly metrics: readonly { readonly id: string; readonly title: string }[]
  /** Parts of the breakdowns, in the order of the results. */
  readonly parts: readonly ExplorerPart[]
  readonly rowsPerPage: number
}

export interface ExplorerPart {
  /** Index into the profiles. */
  readonly profile: number
  readonly dimension: string
  readonly value: string
}

/** One line of the list. A tuple, because a run may have 100,000 and names would be most of the file. */
export type ExplorerRow = readonly [
  position: number,
  id: string,
  /** Index into the configuration's profiles. */
  profile: number,
  task: string,
  epoch: number,
  status: SampleStatus,
  /** A letter of `outcomeCodes`. */
  outcome: string,
  /** By the profile's metrics, in order. */
  values: readonly (number | null)[],
  answer: string | null,
  target: string | null,
  errorCode: string | null,
  latencyMs: number | null,
  outputTokens: number | null,
  /** Indices into the configuration's parts. */
  parts: readonly number[],
]

/** The beginning of a text and how many characters (UTF-16 code units) follow that the report does not hold. */
export interface ClippedText {
  readonly text: string
  readonly omitted: number
}

/** A picture of a message; its bytes are in a data element of their own where the report holds them. */
export interface ExplorerPicture {
  readonly media: string
  readonly alt: string
}

/** What is in that element. */
export interface ExplorerPictureData {
  readonly type: string
  readonly base64: string
}

type Score = SampleDetail['score_details'][number]

export interface ExplorerTranscript {
  readonly messages: readonly (ClippedText & { readonly role: string; readonly pictures?: readonly ExplorerPicture[] })[]
  readonly output: ClippedText | null
  readonly reasoning: ClippedText | null
  /** What a reader must know of the answer. */
  readonly notices: readonly ClippedText[]
  readonly finishReason: string | null
  readonly targets: readonly ClippedText[]
  readonly choices: readonly ClippedText[] | null
  readonly scores: readonly (Pick<Score, 'title' | 'scorer' | 'scorer_version' | 'value' | 'class' | 'code' | 'answer_span'> & {
    readonly answer: ClippedText | null
    readonly explanation: ClippedText
  })[]
  readonly error: { readonly code: string; readonly message: ClippedText } | null
  readonly attempts: number
  readonly inputTokens: number | null
  readonly finishedAt: string | null
}
