/** What the words of a refusal say: no quota is left for longer than a run waits, the call came too soon, or it is larger than the limit itself. */
export type LimitWords = 'exhausted' | 'throttled' | 'too_large'

interface Refusal {
  readonly status: number
  /** Such as `insufficient_quota`; empty where there is none. */
  readonly word: string
  /** All that the reply says. */
  readonly text: string
}

/** Of an account without money, whatever the status: OpenAI, Anthropic (400), DeepSeek, Qwen (400), Moonshot (403), Z.AI, LiteLLM (400, 429). */
const noMoney =
  /\b(?:insufficient[ _](?:account[ _])?(?:balance|credits?|funds)|credit balance is too low|out of credits?|requires more credits|billing[ _](?:error|hard[ _]limit|not[ _]active)|spend(?:ing)?[ _]limit[ _](?:has[ _]been[ _])?(?:reached|exceeded)|budget[ _](?:has been )?exceeded|exceeded_current_quota(?:_error)?|arrear(?:s|age)|no resource package|key limit exceeded|payment (?:required|method)|quota (?:is |has been )?exhausted)\b|spend_limit_reached|余额不足|欠费/i

/** Codes that are numbers. Z.AI: 1113 arrears, 1308 five hours, 1310 a week. */
const noQuotaCodes: ReadonlySet<string> = new Set(['1113', '1308', '1310'])

/** Google names the quotas that are used up; its `retryDelay` misleads there. `limit: 0` is a model that the plan does not have. */
const namedDaily = /PerDay|\blimit: 0(?![.\d])|FreeTierOnly|dailyLimit/
const longLimit =
  / ?\/ ?(?:day|week|month)\b|\b(?:per[ _-]day|daily|[TR]PD|weekly|monthly|per[ _-](?:week|month)|(?:per|every) \d+ ?hours?|\d+[ -]hour (?:usage )?limit|usage limit|limit exhausted)\b/i
const shortLimit = /\b(?:per[ _-]?(?:min|minute|sec|second)|[TR]P[MS]|a minute)\b|\/ ?(?:min|minute|sec|second)\b|Per(?:Minute|Second)/i

const tooSoon =
  /\b(?:rate[ _-]?limit|too many requests|throttl(?:ed|ing)|over-?loaded|(?:at|over|exceeded) capacity|capacity exceeded|no (?:available )?slots?|slots? (?:is |are )?(?:unavailable|not available|busy)|server (?:is )?busy|queue is full|try again later)/i
const tooSoonWord = /rate_?limit|throttling|overloaded|too_?many_?requests|slowdown|capacity_exceeded/i

/** Null where the words say none of it. */
export function limitWords({ status, word, text }: Refusal): LimitWords | null {
  if (status === 402 || noMoney.test(word) || noMoney.test(text)) return 'exhausted'
  // OpenAI (429) and Groq (413) give the code of a rate limit to a request that no wait makes fit.
  if (status === 413 || (status === 429 && /\brequest too large\b/i.test(text))) return 'too_large'
  // Errors of other statuses may repeat what a prompt says.
  const isLimit = status === 429 || status === 403 || status < 300
  if (isLimit && (noQuotaCodes.has(word) || isLong(word, text))) return 'exhausted'
  if (tooSoonWord.test(word)) return 'throttled'
  const isQuotaOfMinute = status === 403 && /\bquota\b/i.test(text) && shortLimit.test(text)
  return isQuotaOfMinute || ((status >= 500 || status === 403) && tooSoon.test(text)) ? 'throttled' : null
}

/** A text that names a limit a minute beside one a day says which are there, not which is used up. */
function isLong(word: string, text: string): boolean {
  if (namedDaily.test(text)) return true
  if (shortLimit.test(text)) return false
  // Qwen gives the same code to a quota that is free again after a minute.
  if (/^insufficient_quota$/i.test(word)) return !/allocated quota/i.test(text)
  return longLimit.test(text)
}
