import { sumCounts } from '../usage/usage.ts'
import type { CallOutcome, EarlierCall, Failure, Loglikelihood, ModelClient, Wire } from '../model-client.ts'

/** What the endpoint found of every choice, as its sample's output holds it in JSON. */
export interface ChoiceLoglikelihoods {
  /** In nats, in the order of the choices. */
  readonly loglikelihoods: readonly number[]
  /** Whether each choice is what the model would have said by itself; null where the provider does not tell. */
  readonly greedy: readonly (boolean | null)[]
  readonly choices: readonly string[]
  /** Of every choice without the prompt; absent where it was not measured. */
  readonly unconditional_loglikelihoods?: readonly number[]
}

interface MeasuredPrompt {
  readonly prompt: string
  /** With what separates them from the prompt. */
  readonly choices: readonly string[]
  /** Measures them without the prompt, too, where the client can. */
  readonly isUnconditional: boolean
}

/**
 * Measures every choice as a continuation of the prompt, one call each, as in lm-eval.
 * @returns what a single call would, its output the likelihoods as JSON; a call that fails ends it with that failure
 */
export async function scoreChoices(
  client: ModelClient,
  { prompt, choices, isUnconditional }: MeasuredPrompt,
  signal: AbortSignal,
): Promise<CallOutcome> {
  if (!client.loglikelihood) return unsupported
  if (client.loglikelihoods && choices.length > 0) {
    const outcome = await client.loglikelihoods(prompt, choices, { signal })
    if (!outcome.ok) return outcome
    const without = isUnconditional ? await client.loglikelihoods('', choices, { signal }) : null
    const { items, ...rest } = outcome
    if (!without) return { ...rest, output: outputOf(items, choices), finishReason: null, refused: false }
    const both = { earlier: [wireOf(outcome)], latencyMs: latencyOf([outcome, without]) }
    if (!without.ok) return { ...without, ...both, ...sumCounts([outcome]) }
    const { request, response, httpStatus } = without
    const output = outputOf(items, choices, without.items)
    return {
      ok: true,
      output,
      finishReason: null,
      refused: false,
      request,
      response,
      httpStatus,
      ...both,
      ...sumCounts([outcome, without]),
    }
  }
  const measured: Loglikelihood[] = []
  for (const choice of choices) {
    const outcome = await client.loglikelihood({ context: prompt, continuation: choice }, { signal })
    if (!outcome.ok && measured.length === 0) return outcome
    if (!outcome.ok)
      return { ...outcome, earlier: measured.map(wireOf), latencyMs: outcome.latencyMs + latencyOf(measured), ...sumCounts(measured) }
    measured.push(outcome)
  }
  const last = measured.at(-1)
  if (!last) return { ...unsupported, code: 'bad_request', message: 'The task has no choices to compare.' }
  return {
    ok: true,
    output: outputOf(measured, choices),
    finishReason: null,
    refused: false,
    ...sumCounts(measured),
    latencyMs: latencyOf(measured),
    request: last.request,
    response: last.response,
    httpStatus: last.httpStatus,
    earlier: measured.slice(0, -1).map(wireOf),
  }
}

type Likelihood = Pick<Loglikelihood, 'logprob' | 'isGreedy'>

function outputOf(measured: readonly Likelihood[], choices: readonly string[], unconditional?: readonly Likelihood[]): string {
  const output: ChoiceLoglikelihoods = {
    loglikelihoods: measured.map(({ logprob }) => logprob),
    greedy: measured.map(({ isGreedy }) => isGreedy),
    choices,
    ...(unconditional && { unconditional_loglikelihoods: unconditional.map(({ logprob }) => logprob) }),
  }
  return JSON.stringify(output)
}

const unsupported: Failure = {
  ok: false,
  code: 'bad_request',
  message: 'The protocol of this connection has no log-likelihoods. Choose a profile that has the model answer in text.',
  retryAfterMs: null,
  latencyMs: 0,
  request: null,
  response: null,
  httpStatus: null,
}

function wireOf({ request, response }: Wire): EarlierCall {
  return { request, response }
}

function latencyOf(measured: readonly { readonly latencyMs: number }[]): number {
  return measured.reduce((sum, { latencyMs }) => sum + latencyMs, 0)
}
