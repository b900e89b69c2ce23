/** What a model wrote, taken apart. */
export interface SplitAnswer {
  /** What it says: the text without its reasoning. Empty where it never came to an answer. */
  readonly output: string
  /** What it thought before and between; null where it wrote none. */
  readonly reasoning: string | null
}

/** Opening and closing marks between which models write their reasoning, in lower case: they are read in any. */
const pairs: readonly (readonly [open: string, close: string])[] = [
  // DeepSeek, Qwen, GLM, vLLM and llama.cpp without a reasoning parser
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  // Gemini and Gemma by the OpenAI form
  ['<thought>', '</thought>'],
  ['<|channel>thought', '<channel|>'],
  // Kimi VL, ByteDance Seed, Mistral Magistral, Cohere, Sky-T1
  ['◁think▷', '◁/think▷'],
  ['<seed:think>', '</seed:think>'],
  ['[think]', '[/think]'],
  ['<|start_thinking|>', '<|end_thinking|>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
]

/** A closing mark alone, since the chat template had written the opening one: only marks that no text uses otherwise. */
const closedOnly = pairs.filter(([open]) => open !== '<|channel>thought')

/**
 * Tells a model's answer from the reasoning that it wrote into the same text: in marks at the start, with later blocks of the same marks,
 * before a closing mark whose opening one the chat template had written, or in harmony's channels. A block that is never closed was cut
 * off inside the thought, so that nothing is answered. Text without such marks comes back as it is.
 */
export function splitReasoning(text: string): SplitAnswer {
  const unmarked = { output: text, reasoning: null }
  if (!mayHoldReasoning(text)) return unmarked
  const harmony = splitHarmony(text)
  if (harmony) return harmony
  const lower = lowered(text)
  const start = text.length - text.trimStart().length
  const pair = pairs.find(([open]) => lower.startsWith(open, start))
  return pair ? splitPaired(text, lower, start, pair) : (splitClosed(text, lower) ?? unmarked)
}

/** The output with reasoning that came in a field of its own, which precedes what the text itself contained. */
export function withReasoning(split: SplitAnswer, separate: string | null | undefined): SplitAnswer {
  const parts = [separate, split.reasoning].filter(part => part != null && part.trim() !== '')
  return { output: split.output, reasoning: parts.length === 0 ? null : parts.join('\n\n') }
}

/** Spares most answers the search for each mark. */
function mayHoldReasoning(text: string): boolean {
  return /[<[◁]\/?\|?(?:seed:)?[tsebc]|^\s*(?:assistant\s*)?analysis/i.test(text)
}

/** Lower case of the marks' own letters alone, so that every place stays where it is. */
function lowered(text: string): string {
  return text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase())
}

function splitPaired(text: string, lower: string, start: number, [open, close]: readonly [string, string]): SplitAnswer {
  const thoughts: string[] = []
  const said: string[] = []
  for (let at = start; ; ) {
    const end = lower.indexOf(close, at + open.length)
    thoughts.push(text.slice(at + open.length, end === -1 ? undefined : end))
    if (end === -1) break
    const after = end + close.length
    const next = lower.indexOf(open, after)
    said.push(withoutBlankStart(text.slice(after, next === -1 ? undefined : next)))
    if (next === -1) break
    at = next
  }
  return answerOf(said.join(''), thoughts)
}

/** Code spans and quotations of the mark are text about it, and so is one whose opening mark is somewhere in the text. */
function splitClosed(text: string, lower: string): SplitAnswer | null {
  for (const [open, close] of closedOnly) {
    const at = lower.indexOf(close)
    if (at === -1 || /[`"'“‘]/.test(text.charAt(at - 1))) continue
    const opened = lower.indexOf(open)
    if (opened !== -1 && opened < at) continue
    return answerOf(withoutBlankStart(text.slice(at + close.length)), [text.slice(0, at)])
  }
  return null
}

const channelMark = /<\|channel\|>\s*(\w+)(?!\w)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>/g
const messageEnd = /<\|(?:end|return|call|start)\|>[\s\S]*$/

/**
 * OpenAI's harmony format: what is in the channel `final` is the answer, everything before it is not. Where a server dropped the
 * special tokens, the names of role and channel are left in the text.
 */
function splitHarmony(text: string): SplitAnswer | null {
  const marks = [...text.matchAll(channelMark)]
  if (marks.length > 0) {
    const messages = marks.map((mark, i) => ({
      channel: mark[1] ?? '',
      text: text.slice(mark.index + mark[0].length, marks[i + 1]?.index).replace(messageEnd, ''),
    }))
    const before = text.slice(0, marks[0]?.index).replaceAll(/<\|[a-z]+\|>(?:assistant)?/g, '')
    const isFinal = ({ channel }: { readonly channel: string }) => channel === 'final'
    const final = messages.filter(isFinal).map(message => message.text)
    return answerOf(final.join('\n'), [before, ...messages.filter(message => !isFinal(message)).map(message => message.text)])
  }
  const bare = /^\s*(?:assistant\s*)?analysis(?:<\|message\|>|(?=\p{Lu}))([\s\S]*?)(?:assistantfinal([\s\S]*))?$/u.exec(text)
  return bare ? answerOf(bare[2] ?? '', [bare[1] ?? '']) : null
}

function answerOf(output: string, thoughts: readonly string[]): SplitAnswer {
  const reasoning = thoughts
    .map(thought => thought.trim())
    .filter(thought => thought !== '')
    .join('\n\n')
  return { output, reasoning: reasoning === '' ? null : reasoning }
}

/** Blank lines after a thought belong to neither; the indentation of the first line of an answer is the answer's. */
function withoutBlankStart(text: string): string {
  const blank = /^\s*\n/.exec(text)?.[0]
  return blank === undefined ? text.trimStart() : text.slice(blank.length)
}
