import { type CallNoteCode, endingNotices, isNotice, type NoticeCode, noticeCodes } from '../../contract/runs/call-notes.ts'

/** As the column holds them. */
export function packNotices(codes: readonly CallNoteCode[]): string {
  return codes.filter(isNotice).join(' ')
}

/** SQL: 1 where the attempt `a` has the notice. */
export const holdsNotice = (code: NoticeCode): string => `(' ' || coalesce(a.notices, '') || ' ' like '% ${code} %')`

interface Row {
  /** Null: written by an earlier release. */
  readonly notices: string | null
  readonly finish_reason: string | null
  /** 1: the answer has no text. */
  readonly is_empty: number | null
}

export function unpackNotices({ notices, finish_reason, is_empty }: Row): NoticeCode[] {
  if (notices === null) return endingNotices(finish_reason, is_empty !== 1, false)
  const held = new Set(notices.split(' '))
  return noticeCodes.filter(code => held.has(code))
}
