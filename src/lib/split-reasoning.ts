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
  ['<reasoning>', '</reasoning>'],
  ['<longcat_think>', '</longcat_think>'],
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
  const start = roleMarks.exec(text)?.[0].length ?? 0
  const pair = pairs.find(([open]) => lower.startsWith(open, start))
  if (pair) return splitPaired(text, lower, start, pair)
  return splitGranite(text) ?? splitClosed(text, lower) ?? unmarked
}

/** What templates put before an answer and servers may leave there: blanks and marks of roles, the answer's own included. */
const roleMarks =
  /^(?:\s|\u{200b}|<[|｜](?:im_start|start|(?:start|end)_(?:header_id|of_role)|begin_of_text|bos|assistant)[|｜]>|assistant(?=[\n<]))*/iu

/** IBM Granite says it in words. */
function splitGranite(text: string): SplitAnswer | null {
  const said = /^\s*here(?:['’]s| is) my thought process:([\s\S]*?)here(?:['’]s| is) my response:/i.exec(text)
  return said ? answerOf(withoutBlankStart(text.slice(said[0].length)), [said[1] ?? '']) : null
}

/** The output with reasoning that came in a field of its own, which precedes what the text itself contained. */
export function withReasoning(split: SplitAnswer, separate: string | null | undefined): SplitAnswer {
  // Servers that take the thought out may leave it in the text, too.
  const isSame = separate?.trim() === split.reasoning?.trim()
  const parts = [separate, isSame ? null : split.reasoning].filter(part => part != null && part.trim() !== '')
  return { output: split.output, reasoning: parts.length === 0 ? null : parts.join('\n\n') }
}

/** Spares most answers the search for each mark. */
function mayHoldReasoning(text: string): boolean {
  return /[<[◁]\/?\|?(?:seed:)?[tsebcrl]|^\s*(?:(?:assistant\s*)?analysis|here(?:['’]s| is) my thought)/i.test(text)
}

/** Lower case of the marks' own letters alone, so that every place stays where it is. */
function lowered(text: string): string {
  return text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase())
}

function splitPaired(text: string, lower: string, start: number, [open, close]: readonly [string, string]): SplitAnswer {
  const thoughts: string[] = []
  const said: string[] = []
  for (let at = start; ; ) {
    const end = endOfThought(lower, at + open.length, [open, close])
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

/** Of a thought that holds further ones, the end of the last of them. */
function endOfThought(lower: string, from: number, [open, close]: readonly [string, string]): number {
  let end = lower.indexOf(close, from)
  let opened = end === -1 ? -1 : lower.indexOf(open, end)
  for (let inner = lower.indexOf(open, from); inner !== -1 && inner < end; inner = lower.indexOf(open, inner + open.length)) {
    const next = lower.indexOf(close, end + close.length)
    if (next === -1 || (opened !== -1 && opened < next)) return end
    end = next
  }
  return end
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
  return { output: output.replaceAll(answerMarks, ''), reasoning: reasoning === '' ? null : reasoning }
}

/** Marks that two models put around the answer that follows the thought (Cohere, Sky-T1). */
const answerMarks = /^\s*<\|(?:start_response|begin_of_solution)\|>|<\|(?:end_response|end_of_solution)\|>\s*$/gi

/** Blank lines after a thought belong to neither; the indentation of the first line of an answer is the answer's. */
function withoutBlankStart(text: string): string {
  const blank = /^\s*\n/.exec(text)?.[0]
  return blank === undefined ? text.trimStart() : text.slice(blank.length)
}
