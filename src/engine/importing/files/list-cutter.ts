import { anyKey } from './import-source.ts'

/** What a character of a JSON text means for the list in it: not in the list, part of an item, or the end of an item or of the list. */
type Cut = 'outside' | 'inside' | 'item ends' | 'list ends'

const headLength = 200
const listedKeys = 100

/** Tells the items of a JSON list apart by brackets and strings alone, character by character; whether they are sound is for a parser. */
export class ListCutter {
  private readonly starts: readonly { readonly depth: number; readonly head: RegExp }[]
  /** A list of a key whose first item is to say whether it is the one. */
  private mayBegin = false
  private readonly onlyObjects: boolean
  private readonly isInString = { now: false, escaped: false }
  private head = ''
  private depth = 0
  private place: 'before' | 'in' | 'after' = 'before'
  private isWrapped = false
  /** Keys of the top level that were passed but for the last, and that one. */
  private readonly passed: string[] = []
  private key: string | null = null
  private readonly behind: { cutter: ListCutter | null; found: { readonly list: string | null } | null } = { cutter: null, found: null }

  /** @param key of a top-level object that holds the list; undefined when the list is the whole text */
  constructor(key?: string | typeof anyKey) {
    const whole = { depth: 0, head: /^\s*$/ }
    if (key === undefined) this.starts = [whole]
    // The dataset viewer of Hugging Face describes the columns before the rows.
    else if (key === anyKey) this.starts = [whole, { depth: 1, head: /(?<!"features)"\s*:\s*$/ }]
    else this.starts = [{ depth: 1, head: new RegExp(`${JSON.stringify(key)}\\s*:\\s*$`) }]
    this.onlyObjects = key === anyKey
  }

  get hasBegun(): boolean {
    return this.place !== 'before'
  }

  get hasEnded(): boolean {
    return this.place === 'after'
  }

  step(char: string): Cut {
    if (this.place === 'after') {
      this.stepAfter(char)
      return 'outside'
    }
    if (this.place === 'before') return this.stepBefore(char)
    if (this.staysInString(char)) return 'inside'
    if (this.depth === 0 && char === ',') return 'item ends'
    if (this.depth === 0 && char === ']') {
      this.place = 'after'
      return 'list ends'
    }
    this.count(char)
    return 'inside'
  }

  /** What follows the list and was not read: null, any text behind a list that is the whole, or the name of another list of objects. */
  get beyond(): { readonly list: string | null } | null {
    return this.behind.found
  }

  /** The key of the list, and the other keys of the object around it; null where the list is the whole text, or did not begin. */
  get beside(): { readonly list: string; readonly others: readonly string[] } | null {
    const { cutter } = this.behind
    const behind = cutter === null ? [] : [...cutter.passed, ...(cutter.key === null ? [] : [cutter.key])]
    return this.isWrapped && this.key !== null ? { list: this.key, others: [...this.passed, ...behind] } : null
  }

  /** Closing brackets and other fields of the object are passed over. */
  private stepAfter(char: string): void {
    const { behind } = this
    if (behind.found !== null) return
    if (!this.isWrapped) {
      if (!/[\s\uFEFF]/.test(char)) behind.found = { list: null }
      return
    }
    const other = (behind.cutter ??= ListCutter.within(this.onlyObjects))
    other.step(char)
    if (other.hasBegun) behind.found = { list: /"([^"]{0,100})"\s{0,20}:\s{0,20}\[?\s{0,20}$/.exec(other.head)?.[1] ?? null }
  }

  /** A cutter that stands within an object already. */
  private static within(onlyObjects: boolean): ListCutter {
    const cutter = new ListCutter(onlyObjects ? anyKey : undefined)
    cutter.depth = 1
    return cutter
  }

  private stepBefore(char: string): Cut {
    if (this.mayBegin && !/\s/.test(char)) {
      this.mayBegin = false
      if (char === '{') {
        this.place = 'in'
        this.isWrapped = true
        this.depth = 1
        return 'inside'
      }
    }
    if (!this.staysInString(char)) {
      if (char === '[' && this.starts.some(({ depth, head }) => depth === this.depth && head.test(this.head))) {
        if (this.depth === 0 || !this.onlyObjects) {
          this.isWrapped = this.depth > 0
          this.place = 'in'
          this.depth = 0
          return 'outside'
        }
        this.mayBegin = true
      }
      if (char === ':' && this.depth === 1) {
        if (this.key !== null && this.passed.length < listedKeys) this.passed.push(this.key)
        this.key = /"((?:[^"\\]|\\.){0,100})"\s{0,20}$/.exec(this.head)?.[1] ?? ''
      }
      this.count(char)
    }
    this.head = (this.head + char).slice(-headLength)
    return 'outside'
  }

  private count(char: string): void {
    if (char === '{' || char === '[') this.depth++
    else if (char === '}' || char === ']') this.depth--
  }

  /** Whether the character belongs to a text in double quotes, its quotes included. */
  private staysInString(char: string): boolean {
    const string = this.isInString
    if (!string.now) {
      string.now = char === '"'
      return string.now
    }
    if (string.escaped) string.escaped = false
    else if (char === '\\') string.escaped = true
    else if (char === '"') string.now = false
    return true
  }
}
