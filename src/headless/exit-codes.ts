/** How a command ended, for pipelines. The numbers are part of the interface. */
export const exitCodes = {
  passed: 0,
  error: 1,
  usage: 2,
  /** The figures settle neither way, or nothing but execution errors came back. */
  inconclusive: 3,
  /** A person must decide or pay before it can continue. */
  humanNeeded: 4,
  gateFailed: 100,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command line, or a file that it names, cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Refusals that a person ends: by raising a limit, adding credit or signing in. */
const forPeople = new Set(['insufficient_credit', 'spend_ceiling_reached', 'owner_session_required', 'human_approval_required'])
/** Refusals of what was typed. */
const ofInput = new Set(['validation_error', 'invalid_cursor', 'exact_task_suite', 'task_unavailable'])

/** The exit code of a refusal by its error code. */
export function exitCodeOf(errorCode: string): ExitCode {
  if (forPeople.has(errorCode)) return exitCodes.humanNeeded
  if (ofInput.has(errorCode)) return exitCodes.usage
  return errorCode === 'result_not_ready' ? exitCodes.inconclusive : exitCodes.error
}
