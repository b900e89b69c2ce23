import { describeContent } from '../../../../contract/messages/message-text.ts'
import { type Message, partsOf } from '../../../../contract/messages/messages.schemas.ts'
import type { ReportSample } from '../report-sample.ts'
import { clip } from './clip.ts'
import type { ExplorerPicture, ExplorerTranscript } from './explorer-data.ts'

/** A single text longer than this stalls a browser's layout and crowds out others; the JSON export has all of it. */
const textLength = 40_000
const noteLength = 4_000

/** What the explorer shows of one sample. */
export function explorerTranscript(sample: ReportSample): ExplorerTranscript {
  return {
    messages: sample.messages.map(message => {
      const pictures = picturesOf(message)
      return { role: message.role, ...clip(describeContent(message.content), textLength), ...(pictures.length > 0 ? { pictures } : {}) }
    }),
    output: sample.output === null ? null : clip(sample.output, textLength),
    reasoning: sample.reasoning === null ? null : clip(sample.reasoning, textLength),
    notices: sample.notices.map(({ message }) => clip(message, noteLength)),
    finishReason: sample.finish_reason,
    targets: sample.targets.map(target => clip(target, noteLength)),
    choices: sample.choices?.map(choice => clip(choice, noteLength)) ?? null,
    scores: sample.score_details.map(score => ({
      title: score.title,
      scorer: score.scorer,
      scorer_version: score.scorer_version,
      value: score.value,
      class: score.class,
      code: score.code,
      answer: score.answer === null ? null : clip(score.answer, noteLength),
      answer_span: score.answer_span,
      explanation: clip(score.explanation, noteLength),
    })),
    error: sample.error === null ? null : { code: sample.error.code, message: clip(sample.error.message, noteLength) },
    attempts: sample.attempts,
    inputTokens: sample.input_tokens,
    finishedAt: sample.finished_at,
  }
}

/** The pictures of a message, in their order. */
export function picturesOf(message: Pick<Message, 'content'>): ExplorerPicture[] {
  return partsOf(message).flatMap(part => (part.type === 'image' ? [{ media: part.media, alt: part.alt ?? 'Image of the task' }] : []))
}
