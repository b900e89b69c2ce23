import type { FailureCode } from '../../contract/runs/failure-codes.ts'

/** Why a call failed, before what went over the wire is added to it. */
export interface Fault {
  readonly code: FailureCode
  /** Sentences for people: what happened, with which value, and what to do. No secrets. */
  readonly message: string
}
