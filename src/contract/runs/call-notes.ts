import { z } from 'zod'
import { endingOf } from './endings.ts'

/** Words for one code: what app, report, API and MCP call it and say of it. */
interface NoteWords {
  /** Two or three words, for lists. */
  readonly label: string
  /** Of one sample, unless the call itself says it with its values. */
  readonly sample: string
  /** Of a result: `count` of `of` answers have it. Absent where a result need not say it. */
  readonly result?: (count: string, of: string) => string
}

const words = {
  parameter_dropped: { label: 'Setting not sent', sample: 'A setting was not sent, since the protocol or the model has none like it.' },
  parameter_adapted: { label: 'Setting adapted', sample: 'A setting was sent with another value than asked for.' },
  parameter_refused: { label: 'Setting refused', sample: 'The endpoint refused a setting.' },
  image_resized: { label: 'Image resized', sample: 'An image was resized to the limit of the profile before it was sent.' },
  usage_ignored: {
    label: 'Token count ignored',
    sample: 'The provider counted more tokens than a call can have, so its count was not used.',
  },
  answer_filtered: {
    label: 'Refused',
    sample: 'The model refused, or the provider’s content filter stopped the answer, so it counts as refused, not as wrong.',
    result: (count, of) =>
      `${count} of ${of} answers were refused by the model or stopped by the provider’s content filter. They count as refused and are excluded from the mean.`,
  },
  answer_cut_off: {
    label: 'Cut off',
    sample: 'The answer reached its token limit and was cut off. It was graded as it is; allow more output tokens.',
    result: (count, of) =>
      `${count} of ${of} answers reached the token limit and were cut off. They were graded as they are; allow more output tokens to see what they would score.`,
  },
  answer_missing: {
    label: 'No answer',
    sample: 'The model wrote reasoning and no answer, so an empty answer was graded. Allow more output tokens.',
    result: (count, of) =>
      `${count} of ${of} answers held reasoning and nothing else, so an empty answer was graded. Allow more output tokens: reasoning counts toward the limit.`,
  },
  answer_empty: {
    label: 'Empty',
    sample: 'The provider reported success and sent no text. The empty answer was graded.',
    result: (count, of) => `${count} of ${of} answers held no text although the provider reported success. The empty answers were graded.`,
  },
  answer_holds_files: {
    label: 'Files in the answer',
    sample: 'The answer holds images or recordings. They are shown below it and were not graded; without text beside them it is unscored.',
    result: (count, of) =>
      `${count} of ${of} answers hold images or recordings. They are kept in the raw responses, and only the text was graded; answers without text are unscored.`,
  },
  text_damaged: {
    label: 'Unreadable characters',
    sample: 'The reply holds bytes that are no text in its charset. They were graded as “\ufffd”.',
    result: (count, of) =>
      `${count} of ${of} answers hold bytes that are no text in their charset. They were graded as “\ufffd”. Have the server send UTF-8, and raise the limit of tokens where it cuts characters.`,
  },
  unknown_ending: {
    label: 'Unknown ending',
    sample: 'The answer ended for a reason that Assay does not know. It was graded as it is; read the provider’s documentation.',
    result: (count, of) =>
      `${count} of ${of} answers ended for a reason that Assay does not know. They were graded as they are; the samples show the provider’s word, if it gave one.`,
  },
  model_differs: {
    label: 'Other model',
    sample: 'The provider names another model than the requested one.',
    result: (count, of) =>
      `${count} of ${of} answers came from another model than the requested one, by what the provider says. The score is not the requested model’s alone.`,
  },
  prompt_truncated: {
    label: 'Prompt truncated',
    sample: 'The server read far fewer tokens than the prompt has, so it cut the prompt.',
    result: (count, of) =>
      `${count} of ${of} prompts were cut by the server, which read far fewer tokens than they have. Raise its context length (Ollama: num_ctx).`,
  },
  usage_unreadable: {
    label: 'Usage unreadable',
    sample: 'The provider’s token counts could not be read, so tokens and cost are unknown.',
    result: (count, of) => `The token counts of ${count} of ${of} answers could not be read, so their tokens and cost are unknown.`,
  },
} as const satisfies Readonly<Record<string, NoteWords>>

/** What is noted of a call. */
export type CallNoteCode = keyof typeof words
/** Those that a reader of the score must know: listed with samples, counted in results. */
export type NoticeCode = { [Code in CallNoteCode]: (typeof words)[Code] extends { result: unknown } ? Code : never }[CallNoteCode]

// Object.keys has the keys it was given.
export const callNoteCodes = Object.keys(words) as [CallNoteCode, ...CallNoteCode[]]

export const CallNotes = z.array(z.strictObject({ code: z.enum(callNoteCodes), message: z.string() }))

/** In the order in which a result lists them. */
export const noticeCodes = callNoteCodes.filter(isNotice)

export function isNotice(code: CallNoteCode): code is NoticeCode {
  return 'result' in words[code]
}

export const noticeLabel = (code: CallNoteCode): string => words[code].label

/** Of one sample. */
export const sampleNotice = <Code extends CallNoteCode>(code: Code) => ({ code, message: words[code].sample })

/** Of a result. Counts are formatted for people. */
export const resultNotice = (code: NoticeCode, count: string, of: string) => ({ code, message: words[code].result(count, of) })

/**
 * Notices that follow from how an answer ended. Of an answer without text one is enough: why there is none.
 * @param hasText whether it has text or a tool call
 * @param hasReasoning whether the model thought before it
 */
export function endingNotices(finishReason: string | null, hasText: boolean, hasReasoning: boolean): NoticeCode[] {
  const ending = endingOf(finishReason)
  if (ending === 'refused') return ['answer_filtered']
  const unknown: NoticeCode[] = ending === 'unknown' ? ['unknown_ending'] : []
  if (!hasText && hasReasoning) return ['answer_missing', ...unknown]
  if (ending === 'cut_off') return ['answer_cut_off']
  return hasText ? unknown : ['answer_empty', ...unknown]
}
