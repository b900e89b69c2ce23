/** What the words of a refusal say: no quota is left for longer than a run waits, the call came too soon, or it is larger than the limit itself. */
export type LimitWords = 'exhausted' | 'throttled' | 'too_large'

interface Refusal {
  readonly status: number
  /** Such as `insufficient_quota`; empty where there is none. */
  readonly word: string
  /** All that the reply says. */
  readonly text: string
}

/**
 * Of an account without money, or a limit that its owner has set, whatever the status: OpenAI, Anthropic (400), DeepSeek, Qwen (400),
 * Moonshot, xAI, SiliconFlow (403), Fireworks (412), Volcengine (403, 429), Z.AI, LiteLLM (400, 429), Azure's API management (403).
 */
const noMoney = new RegExp(
  [
    String.raw`\binsufficient[ _](?:account[ _])?(?:balance|credits?|funds)\b`,
    String.raw`\b(?:balance|credits?) (?:is |are )?(?:too low|insufficient|not enough|negative|overdue)\b|\boverdue (?:balance|payment|bill)|account_?overdue`,
    String.raw`\b(?:out of (?:credits?|call volume|quota)|requires more credits|purchase (?:more )?credits|(?:n['’]t|not) have any credits)\b`,
    String.raw`\bbilling[ _](?:error|hard[ _]limit|not[ _]active)\b|\bpayment (?:required|method)\b`,
    String.raw`spend(?:ing)?[ _]limit[ _](?:has[ _]been[ _])?(?:reached|exceeded)|\bbudget[ _](?:has been )?exceeded\b`,
    String.raw`\breach(?:ed|ing) (?:the |your |its )?(?:set |specified )?(?:api |monthly )?(?:spend(?:ing)?|inference|usage) limits?\b`,
    String.raw`\bexceeded_current_quota(?:_error)?\b|\bquota (?:is |has been )?exhausted\b|\barrear(?:s|age)\b|\bno resource package\b|\bkey limit exceeded\b`,
    '余额不足|欠费',
  ].join('|'),
  'i',
)

/** Codes that are numbers. Z.AI: 1113 arrears, 1308 five hours, 1309 an expired plan, 1310 a week. */
const noQuotaCodes: ReadonlySet<string> = new Set(['1113', '1308', '1309', '1310'])

/** Google names the quotas that are used up; its `retryDelay` misleads there. A limit of 0 is a model that the plan does not have (Google, Databricks). */
const namedDaily = /PerDay|ByDay\b|\blimit(?:: | of )0(?!\.?\d)|FreeTierOnly|dailyLimit/
const longLimit =
  / ?\/ ?(?:day|week|month)\b|\b(?:per[ _-]day|daily|[TR]PD|weekly|monthly|per[ _-](?:week|month)|(?:per|every) \d+ ?hours?|\d+[ -]hour (?:usage )?limit|usage limit|limit exhausted)\b|(?:今日|当日|每日|每天)[^。]{0,12}(?:上限|限额|额度)/i
const shortLimit = /\b(?:per[ _-]?(?:min|minute|sec|second)|[TR]P[MS]|a minute)\b|\/ ?(?:min|minute|sec|second)\b|Per(?:Minute|Second)/i

const tooSoon =
  /\b(?:rate[ _-]?limit|too many (?:concurrent |simultaneous |pending )?(?:requests|connections)|throttl(?:ed|ing)|over-?loaded|(?:at|over|exceeded) capacity|capacity exceeded|no (?:available )?slots?|slots? (?:is |are )?(?:unavailable|not available|busy)|server (?:is )?busy|queue is full|try again later)/i
const tooSoonWord = /rate_?limit|throttling|overloaded|too_?many_?requests|slowdown|capacity_exceeded/i

/** Null where the words say none of it. */
export function limitWords({ status, word, text }: Refusal): LimitWords | null {
  if (status === 402 || noMoney.test(word) || noMoney.test(text)) return 'exhausted'
  // OpenAI (429) and Groq (413) give the code of a rate limit to a request that no wait makes fit.
  if (status === 413 || (status === 429 && /\brequest too large\b/i.test(text))) return 'too_large'
  // Errors of other statuses may repeat what a prompt says.
  const isLimit = status === 429 || status === 403 || status < 300
  if (isLimit ? noQuotaCodes.has(word) || isLong(word, text) : isNoQuota(word, text)) return 'exhausted'
  if (tooSoonWord.test(word)) return 'throttled'
  const isQuotaOfMinute = status === 403 && /\bquota\b/i.test(text) && shortLimit.test(text)
  return isQuotaOfMinute || ((status >= 500 || status === 403 || status < 300) && tooSoon.test(text)) ? 'throttled' : null
}

/** A text that names a limit a minute beside one a day says which are there, not which is used up. */
function isLong(word: string, text: string): boolean {
  if (namedDaily.test(text)) return true
  if (shortLimit.test(text)) return false
  return isNoQuota(word, text) || (!/^insufficient_quota$/i.test(word) && longLimit.test(text))
}

/** Qwen gives the same code to a quota that is free again after a minute. */
function isNoQuota(word: string, text: string): boolean {
  return /^insufficient_quota$/i.test(word) && !/allocated quota|current requests list/i.test(text)
}
