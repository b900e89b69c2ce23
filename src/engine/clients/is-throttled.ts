import type { Failure } from './model-client.ts'

/** Whether the endpoint signals overload. */
export function isThrottled({ code, httpStatus }: Pick<Failure, 'code' | 'httpStatus'>): boolean {
  return code === 'rate_limited' || httpStatus === 529 || httpStatus === 503
}
