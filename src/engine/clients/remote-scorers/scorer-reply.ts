import { z } from 'zod'
import { jsonIn } from '../../../lib/json-value.ts'

const ScoreEntry = z.object({
  name: z.string().max(200).optional(),
  value: z.union([z.number(), z.boolean(), z.string().max(1000)]),
  range: z.tuple([z.number(), z.number()]).optional(),
  explanation: z.string().optional(),
})

const Reply = z.discriminatedUnion('status', [
  z.object({ status: z.literal('scored'), scores: z.array(ScoreEntry).min(1).max(100), answer: z.string().optional() }),
  z.object({ status: z.literal('unscored'), reason: z.string(), code: z.string().optional() }),
])

const Pong = z.object({
  status: z.literal('pong'),
  scorers: z.array(z.object({ name: z.string().max(200), version: z.union([z.string().max(100), z.number()]) })).max(100),
})
export type Pong = z.infer<typeof Pong>

/** What a scorer said of one output. A failure is never a score. */
export type RemoteVerdict =
  | {
      readonly kind: 'scored'
      readonly value: number
      readonly label: string | null
      readonly answer: string | null
      readonly explanation: string
      readonly values: Readonly<Record<string, number>>
    }
  | { readonly kind: 'unscored'; readonly code: string; readonly reason: string }

const longest = 4000

/** Reads a reply: the first score decides, the others are kept by name. Numbers are put from their range into [0, 1]. */
export function readScorerReply(body: string): RemoteVerdict {
  const value = jsonIn(body)
  if (value === undefined) return unscored('invalid_json', 'The scorer answered 200 with something that is not JSON.')
  const reply = Reply.safeParse(value)
  if (!reply.success)
    return unscored(
      'invalid_reply',
      `The scorer's reply has not the expected form: ${z.prettifyError(reply.error).replaceAll('\n', ' ').slice(0, 400)}`,
    )
  if (reply.data.status === 'unscored')
    return unscored(codeIn(reply.data.code), `The scorer gave no score: ${reply.data.reason.slice(0, longest)}`)
  const { scores, answer } = reply.data
  const [first] = scores
  if (!first) return unscored('invalid_reply', 'The scorer gave no score.')
  const number = toUnit(first)
  if (typeof number === 'string') return unscored('out_of_range', number)
  const values = Object.fromEntries(
    scores.flatMap((score, i) => {
      const unit = toUnit(score)
      return typeof unit === 'number' ? [[score.name ?? `score_${i + 1}`, unit]] : []
    }),
  )
  return {
    kind: 'scored',
    value: number,
    label: typeof first.value === 'string' ? first.value : null,
    answer: answer?.slice(0, longest) ?? null,
    explanation: (first.explanation ?? '').slice(0, longest),
    values,
  }
}

/** A scorer's own code where it is one word. */
function codeIn(code: string | undefined): string {
  return code !== undefined && /^[\w.:-]{1,64}$/.test(code) ? code : 'unscored'
}

/** Null where it is not an answer to a ping. */
export function readPong(body: string): Pong | null {
  return Pong.safeParse(jsonIn(body)).data ?? null
}

/** A number in [0, 1], or why the score is invalid. JSON has no NaN, but a range can make one. */
function toUnit({ value, range }: z.infer<typeof ScoreEntry>): number | string {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string') {
    const pass = ['pass', 'passed', 'correct', 'true', 'yes', 'c'].includes(value.toLowerCase())
    const fail = ['fail', 'failed', 'wrong', 'incorrect', 'false', 'no', 'i'].includes(value.toLowerCase())
    return pass ? 1 : fail ? 0 : `The scorer's value ${JSON.stringify(value.slice(0, 80))} is neither a number nor a pass or fail.`
  }
  const [low, high] = range ?? [0, 1]
  if (!(low < high)) return `The scorer's range from ${low} to ${high} is empty.`
  if (!(value >= low && value <= high)) return `The scorer's value ${value} is outside its range of ${low} to ${high}.`
  // The width of a range can be larger than any number; half of it can't.
  const part = Number.isFinite(high - low) ? 1 : 2
  return (value / part - low / part) / (high / part - low / part)
}

function unscored(code: string, reason: string): RemoteVerdict {
  return { kind: 'unscored', code, reason }
}
