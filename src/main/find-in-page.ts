import type { Result, WebContents } from 'electron'

/** Longest text searched for, in UTF-16 code units. */
const longestText = 1_000

export interface FindRequest {
  readonly text: string
  readonly forward: boolean
  /** Whether the search was begun before with the same text. */
  readonly next: boolean
}

/** Which of how many matches is shown; both 0 where there is none. */
export interface Found {
  readonly active: number
  readonly matches: number
}

/** @throws TypeError naming the invalid argument. */
export function parseFindRequest(args: readonly unknown[]): FindRequest {
  const [text, forward, next] = args
  if (args.length !== 3 || typeof text !== 'string' || typeof forward !== 'boolean' || typeof next !== 'boolean')
    throw new TypeError('findInPage takes a text, whether to search forward, and whether to continue.')
  if (text.length > longestText) throw new TypeError(`findInPage takes at most ${longestText} characters, not ${text.length}.`)
  return { text, forward, next }
}

/** Marks a text in the page. Resolves when Chromium has counted the matches. */
export function findInPage(contents: WebContents, { text, forward, next }: FindRequest): Promise<Found> {
  if (text === '') {
    contents.stopFindInPage('clearSelection')
    return Promise.resolve({ active: 0, matches: 0 })
  }
  return new Promise(resolve => {
    let id = -1
    const onFound = (_event: unknown, result: Result): void => {
      // Of an earlier search, which this one ended, there may be no last word.
      if (result.requestId < id || !result.finalUpdate) return
      contents.off('found-in-page', onFound)
      resolve({ active: result.activeMatchOrdinal, matches: result.matches })
    }
    contents.on('found-in-page', onFound)
    // Chromium's `findNext` is true for a new search.
    id = contents.findInPage(text, { forward, findNext: !next })
  })
}
