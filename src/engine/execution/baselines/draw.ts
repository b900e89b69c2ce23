import { createHash } from 'node:crypto'

/** Chance that is the same everywhere and always for one seed, task and epoch. */
export interface Draw {
  /** From 0 inclusive to 1 exclusive. */
  readonly chance: number
  /** A place in a list of that length; 0 for an empty one. Independent of `chance`. */
  pick(length: number): number
}

export function drawFor(seed: number, taskId: string, epoch: number): Draw {
  const digest = createHash('sha256').update(`${seed}:${taskId}:${epoch}`).digest()
  return {
    chance: digest.readUIntBE(0, 6) / 2 ** 48,
    pick: length => (length === 0 ? 0 : digest.readUIntBE(6, 6) % length),
  }
}
