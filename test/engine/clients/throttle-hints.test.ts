import { describe, expect, test } from 'vitest'
import { parseAnnouncedRate } from '../../../src/engine/clients/http/announced-rate.ts'
import { limitWords } from '../../../src/engine/clients/http/limit-words.ts'
import { textOf, waitHint } from '../../../src/engine/clients/http/throttle-hints.ts'
import { outcomeOf } from './client-under-test.ts'
import { reply } from './scripted-replies.ts'

const now = Date.parse('2026-11-20T09:30:00Z')
const google = (details: readonly object[], message = 'You exceeded your current quota. Please retry in 18.2s.') => [
  { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } },
]
const said = (message: string) => ({ error: { message } })

describe('a wait that a refused call states', () => {
  test.each<[string, Record<string, string>, unknown, number | null]>([
    ['in Retry-After goes before all others', { 'retry-after': '2', 'x-ratelimit-reset': '60' }, said('try again in 18s'), 2_000],
    ['in Google’s details', {}, google([{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '18s' }]), 18_000],
    ['in OpenRouter’s metadata', {}, { error: { message: 'x', metadata: { retry_after_seconds: 7 } } }, 7_000],
    ['in headers that OpenRouter repeats', {}, { error: { metadata: { headers: { 'X-RateLimit-Reset': String(now + 9_000) } } } }, 9_000],
    ['as a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 3) }, '', 3_000],
    ['as a moment in milliseconds', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 4_000) }, '', 4_000],
    [
      'of the limit that is used up and no other',
      {
        'x-ratelimit-remaining-requests': '900',
        'x-ratelimit-reset-requests': '23h59m',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '7.66s',
      },
      '',
      7_660,
    ],
    [
      'by Anthropic',
      { 'anthropic-ratelimit-tokens-remaining': '0', 'anthropic-ratelimit-tokens-reset': '2026-11-20T09:30:20Z' },
      '',
      20_000,
    ],
    ['by Azure in seconds', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6' }, '', 6_000],
    ['in words', {}, said('Rate limit reached. Please try again in 18s.'), 18_000],
    ['in words with minutes', {}, said('Please try again in 7m12s. Visit the docs.'), 432_000],
    ['in words of Azure', {}, said('Please retry after 5 seconds.'), 5_000],
    ['in words of Moonshot', {}, said('please try again after 1 seconds'), 1_000],
    ['in words with milliseconds', {}, said('Please try again in 120ms.'), 120],
    ['in plain text', {}, 'Slow down and wait 3 seconds.', 3_000],
    ['as a date in words', {}, said('Your limit will reset at 2026-11-20 12:30:00'), 10_800_000],
    ['as a duration of ISO 8601', { 'retry-after': 'PT1M30S' }, '', 90_000],
    ['in words of a header', { 'retry-after': '30 seconds' }, '', 30_000],
    ['as a clock', { 'retry-after': '00:00:30' }, '', 30_000],
    ['in Azure’s own header', { 'x-ms-retry-after-ms': '900' }, '', 900],
    ['in a header with a prefix', { 'x-retry-after': '9' }, '', 9_000],
    ['in a list of the IETF’s draft', { ratelimit: 'limit=100, remaining=0, reset=12' }, '', 12_000],
    ['in a structured field of its next draft', { ratelimit: '"minute";r=0;t=12, "day";r=40;t=9000' }, '', 12_000],
    ['in seconds after now', { 'x-ratelimit-reset-after': '12' }, '', 12_000],
    ['in milliseconds of the body', {}, { error: { retry_after_ms: 700 } }, 700],
    ['as a duration of protobuf', {}, google([{ retryDelay: { seconds: '22', nanos: 500_000_000 } }], 'No.'), 22_500],
    ['in words without a number', {}, said('Please try again in a minute.'), 60_000],
    ['in words with two units', {}, said('Retry your request after 1 minute and 10 sec.'), 70_000],
    ['in a header under another prefix', { 'x-ratelimit-user-retry-after': '30' }, '', 30_000],
    ['as the time that a model takes to load', {}, { error: 'Model is currently loading', estimated_time: 20 }, 20_000],
    ['as a header in words', {}, said('Too many calls. Retry-After: 7'), 7_000],
    ['not at all', {}, said('Rate limit exceeded: free-models-per-min.'), null],
    ['as a reset that makes no sense', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '-1' }, '', null],
  ])('is read %s', (_, headers, body, expected) => {
    expect(waitHint(headers, body, now)).toBe(expected)
  })

  test('is found in little time, however long the reply is', () => {
    const nested = { error: { message: 'again in '.repeat(100_000), more: Array.from({ length: 50_000 }, (_, i) => ({ i })) } }
    const began = process.cpuUsage().user
    expect(waitHint({}, nested, now)).toBeNull()
    expect(process.cpuUsage().user - began).toBeLessThan(2_000_000)
  })
})

describe('the words of a refusal', () => {
  const of = (status: number, text: string, word = '') => limitWords({ status, text, word })

  test.each([
    [429, 'You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota'],
    [429, 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day', ''],
    [429, 'Rate limit reached for model on tokens per day (TPD): Limit 100000, Used 99986. Please try again in 7m12s.', ''],
    [429, textOf(google([{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }])), ''],
    [429, 'Quota exceeded for metric: generate_content_free_tier_requests, limit: 0, model: gemini-pro', ''],
    [400, 'Your credit balance is too low to access the Anthropic API.', 'invalid_request_error'],
    [400, 'Budget has been exceeded! Current cost: 1.2, Max budget: 1.0', 'budget_exceeded'],
    [400, 'Access denied, please make sure your account is in good standing.', 'Arrearage'],
    [403, 'You exceeded your current token quota', 'exceeded_current_quota_error'],
    [403, 'The free tier of the model has been exhausted.', 'AllocationQuota.FreeTierOnly'],
    [429, 'Usage limit reached for 5 hour. Your limit will reset at 2026-11-20 12:30:00', '1308'],
    [429, '余额不足或无可用资源包,请充值。', '1113'],
    [402, 'pay first', ''],
    [403, 'Key limit exceeded (total limit).', ''],
    [429, 'You are using a Trial key, which is limited to 1000 API calls / month.', ''],
    [429, 'Limit of 50 requests per 24 hours reached', ''],
    [429, 'You have hit your 5-hour limit', ''],
    [400, 'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.', 'invalid_request_error'],
    [401, 'You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota'],
    [403, 'Your newly created team doesn’t have any credits yet. You can purchase credits on the console.', ''],
    [403, 'Sorry, your account balance is insufficient', '30001'],
    [403, 'The request failed because your account has an overdue balance.', 'AccountOverdueError'],
    [429, 'Your account has reached the set inference limit for the model, and the model service has been paused.', 'SetLimitExceeded'],
    [412, 'Account x is suspended, possibly due to reaching the monthly spending limit.', 'PRECONDITION_FAILED'],
    [403, 'Out of call volume quota. Quota will be replenished in 05:12:10.', ''],
    [429, 'Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 40193 seconds.', 'RateLimitReached'],
    [403, 'The endpoint is temporarily disabled due to a rate limit of 0.', 'PERMISSION_DENIED'],
    [429, 'Your GLM Coding Plan has expired.', '1309'],
    [429, '您的今日调用次数已达上限', ''],
  ])('say that nothing is left: %i %s', (status, text, word) => {
    expect(of(status, `${text}\n${word}`, word.toLowerCase())).toBe('exhausted')
  })

  test.each([
    [429, 'Rate limit exceeded: free-models-per-min.', ''],
    [429, textOf(google([{ violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] }])), ''],
    [429, 'Allocated quota exceeded, please increase your quota limit.', 'insufficient_quota'],
    [429, 'Limits of this key: 20 requests per minute, 50 per day.', ''],
    [400, 'Too many requests, please wait before trying again.', 'throttlingexception'],
    [500, 'no slot available', ''],
    [503, 'server busy, please try again. maximum pending requests exceeded', ''],
    [200, 'Overloaded', 'overloaded_error'],
    [400, 'Overloaded', 'overloaded_error'],
    [403, 'Quota exceeded for requests, limit per minute', ''],
    [400, 'Too many requests. Try again in 2 hours.', 'rate_limit_exceeded'],
    [429, 'You are using a Trial key, which is limited to 20 API calls / minute.', ''],
    [429, 'You exceeded your current requests list.', 'insufficient_quota'],
    [429, 'Rate limit of 10 per 60s exceeded for UserByModelByMinute.', 'RateLimitReached'],
  ])('leave waiting to help: %i %s', (status, text, word) => {
    expect(of(status, text, word)).not.toBe('exhausted')
  })

  test.each([
    [500, 'no slot available', 'throttled'],
    [500, 'Something broke.', null],
    [500, 'Too many concurrent requests', 'throttled'],
    [200, 'rate limit exceeded(RPM)', 'throttled'],
    [400, 'The prompt says: too many requests, the daily rate limit is 0 per day.', null],
    [429, 'Request too large for gpt-4o on tokens per min (TPM): Limit 10000, Requested 12000.', 'too_large'],
  ])('of status %i are %s: %s', (status, text, expected) => {
    expect(of(status, text)).toBe(expected)
  })
})

test('a daily limit stops the run and a limit a minute does not, by what a client makes of the reply', async () => {
  const daily = google([{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }, { retryDelay: '18s' }])
  const json = { 'content-type': 'application/json' }
  expect(await outcomeOf(reply(429, JSON.stringify(daily), json))).toMatchObject({ code: 'quota_exhausted' })
  const minute = google([{ retryDelay: '18s' }])
  expect(await outcomeOf(reply(429, JSON.stringify(minute), json))).toMatchObject({ code: 'rate_limited', retryAfterMs: 18_000 })
})

test('limits that Cerebras and OpenRouter announce are read as those of OpenAI are', () => {
  const cerebras = {
    'x-ratelimit-remaining-tokens-minute': '500',
    'x-ratelimit-reset-tokens-minute': '11.38',
    'x-ratelimit-limit-tokens-minute': '60000',
  }
  expect(parseAnnouncedRate(cerebras, now)?.tokens).toEqual({ limit: 60_000, remaining: 500, resetMs: 11_380, refill: 'steady' })
  const openRouter = { 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': String(now + 30_000) }
  expect(parseAnnouncedRate(openRouter, now)?.requests).toEqual({ limit: null, remaining: 3, resetMs: 30_000, refill: 'at_once' })
})
