import { contentText } from '../messages/message-text.ts'
import { filesIn, type MediaPart } from '../messages/messages.schemas.ts'
import type { TuneCase } from './draft.schemas.ts'

/** What a case says in text; its media are in `caseFiles`. */
export function caseText(input: TuneCase['input']): string {
  return typeof input === 'string' ? input : Array.isArray(input) ? contentText(input) : JSON.stringify(input)
}

/** The media of a case, each file once. */
export function caseFiles(input: TuneCase['input']): readonly MediaPart[] {
  return Array.isArray(input) ? filesIn([{ content: input }]) : []
}
