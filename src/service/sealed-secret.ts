import type { z } from 'zod'
import { ApiError } from '../contract/errors.ts'
import type { SecretBox, SecretPlace } from './host.ts'

/**
 * @param what the plural that the refusal begins with
 * @throws ApiError unavailable where this machine keeps no secrets
 */
export async function sealSecret(box: SecretBox, what: string, secret: object, place: SecretPlace): Promise<Uint8Array> {
  const reason = await box.unavailableReason()
  if (reason) throw new ApiError('unavailable', `${what} can't be stored safely on this machine: ${reason}`)
  return box.encrypt(JSON.stringify(secret), place)
}

/** @throws ApiError unavailable with the message where the secret was sealed on another machine or for another place */
export async function unsealSecret<Secret>(
  box: SecretBox,
  cipher: Uint8Array,
  place: SecretPlace,
  schema: z.ZodType<Secret>,
  message: string,
): Promise<Secret> {
  try {
    return schema.parse(JSON.parse(await box.decrypt(cipher, place)))
  } catch {
    throw new ApiError('unavailable', message)
  }
}
