import { createRequire } from 'node:module'
import { partText } from '../../../contract/messages/message-text.ts'
import { type Message, partsOf } from '../../../contract/messages/messages.schemas.ts'

type CountTokens = (text: string, options: { disallowedSpecial: Set<string> }) => number

/** Tokens that a chat model adds around each message and before its reply (OpenAI Cookbook, "How to count tokens with tiktoken"). */
const tokensPerMessage = 3
const tokensOfReply = 3

/**
 * Encoding one unbroken run takes time with the square of its length, so longer ones are cut: words are shorter, and a cut adds a token at most.
 */
const overlongRun = /\S{64}(?=\S)|\s{64}(?=\s)/gu

/** What looks like a control token, e.g. `<|endoftext|>`, is counted as plain text, so that a prompt cannot change how it is counted. */
const nothingSpecial = { disallowedSpecial: new Set<string>() }

let encoding: CountTokens | null = null

/**
 * Tokens of a text in OpenAI's `o200k_base` encoding, exact for its models from GPT-4o on. Other models cut text differently: take it for an
 * estimate there, usually within a quarter for English and further off for other scripts and code.
 *
 * The first call loads the vocabulary (a third of a second, 75 MB), so long counts belong in a worker.
 */
export function countTokens(text: string): number {
  encoding ??= loadEncoding()
  let count = 0
  let start = 0
  for (const run of text.matchAll(overlongRun)) {
    const end = run.index + run[0].length
    count += encoding(text.slice(start, end), nothingSpecial)
    start = end
  }
  return count + encoding(text.slice(start), nothingSpecial)
}

/** Tokens of a chat prompt with what a chat model adds to it; media count nothing, since every provider counts them in its own way. */
export function countPromptTokens(messages: readonly Message[]): number {
  return messages.reduce(
    (sum, message) =>
      sum + tokensPerMessage + countTokens(message.role) + partsOf(message).reduce((count, part) => count + countTokens(partText(part)), 0),
    tokensOfReply,
  )
}

/** Loaded with `require` on the first count: `import()` is asynchronous. */
function loadEncoding(): CountTokens {
  const require = createRequire(import.meta.url)
  // The package's own declarations give it this type; `require` cannot carry it over.
  const o200k = require('gpt-tokenizer/encoding/o200k_base') as { countTokens: CountTokens; setMergeCacheSize: (size: number) => void }
  // Its cache saves little, and once full of a long text makes every further word slower than no cache does.
  o200k.setMergeCacheSize(0)
  return o200k.countTokens
}
