import type { FailureCode } from '../../../contract/runs/failure-codes.ts'
import type { Failure } from '../../clients/model-client.ts'
import type { StopReason } from './ports.ts'

/** Tells an error that every sample gets from errors of single samples. */
export interface CommonFailure {
  /** A sample was answered: no later error is everybody's. */
  answered(): void
  /** A sample failed for good. Why the run should stop; null where it should not. */
  failed(failure: Failure): StopReason | null
}

/** Samples that failed alike before any was answered, after which the others would too. */
const samplesAlike = 5

/** What the endpoint said about the request. Filters judge each prompt by itself, and waits and cut connections pass. */
const saidByEndpoint: ReadonlySet<FailureCode> = new Set(['bad_request', 'bad_response', 'response_too_large', 'provider_failure'])

export function createCommonFailure(): CommonFailure {
  let isSettled = false
  let first: string | null = null
  let alike = 0
  return {
    answered: () => {
      isSettled = true
    },
    failed: failure => {
      if (isSettled) return null
      // Counts of tokens and request ids differ from sample to sample.
      const said = `${failure.code} ${failure.httpStatus} ${failure.message.replaceAll(/[\w-]*\d[\w-]*/g, '#')}`
      first ??= said
      isSettled = !saidByEndpoint.has(failure.code) || said !== first
      if (isSettled || ++alike < samplesAlike) return null
      return {
        code: failure.code,
        message: `The first ${alike} samples failed with the same error, so the run stopped. ${failure.message}`,
      }
    },
  }
}
