/** Milliseconds of processor time that the work below takes on the machine for which bounds of time are stated (24 November 2026). */
const referenceMs = 12
const rounds = 12

/**
 * How much slower this machine is at the moment, at least 1. A bound of processor time is multiplied by it: a virtual processor that
 * other machines share takes two to three times as long for the same work.
 */
export function slowness(): number {
  const { user, system } = process.cpuUsage()
  let characters = 0
  for (let round = 0; round < rounds; round++) {
    const rows = Array.from({ length: 2_000 }, (_, i) => ({
      id: `row-${(i * 7919) % 2_000}`,
      value: i % 97,
      text: 'seven of nine '.repeat(3),
    }))
    characters += JSON.stringify(JSON.parse(JSON.stringify(rows.sort((a, b) => (a.id < b.id ? -1 : 1))))).length
  }
  if (characters === 0) throw new Error('The work was left out.')
  const after = process.cpuUsage()
  return Math.max(1, (after.user - user + after.system - system) / 1000 / referenceMs)
}

/** Milliseconds of processor time, of every thread of this process, that `work` takes; compare with a bound times `slowness()`. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Whole factor, 2 to 8, for every limit of time that only ends what hangs: twice the slowness, since other programs and tests take turns
 * with what is waited for, which the processor time that `slowness` measures does not show. Whole, since timers of Node.js refuse a part
 * of a millisecond. Measured once, by the process that starts the tests.
 */
export function patience(): number {
  process.env['ASSAY_TEST_PATIENCE'] ??= String(wholePatience(slowness()))
  return Number(process.env['ASSAY_TEST_PATIENCE'])
}

export const wholePatience = (slowness: number): number => Math.min(8, Math.ceil(2 * slowness))
