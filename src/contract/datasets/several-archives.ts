import { ApiError, type ErrorDetail } from '../errors.ts'

const type = 'several_archives'

/** The refusal of an archive that a version does not make. @param archives how many it makes, which programs find in the detail */
export const noSuchArchive = (archives: number, message: string): ApiError =>
  new ApiError('validation_error', message, {
    detail: [{ loc: ['query', 'part'], msg: `must be from 1 to ${archives}`, type, ctx: { archives } }],
  })

/** How many archives a refusal says that there are; null for another refusal. */
export const archivesIn = (detail: readonly Pick<ErrorDetail, 'type' | 'ctx'>[]): number | null =>
  detail.find(one => one.type === type)?.ctx?.['archives'] ?? null
