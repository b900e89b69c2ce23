import { readFileSync } from 'node:fs'

/**
 * Which process has a number, in a form that no step of the clock changes: the boot of the machine and the ticks from it to the start of the
 * process. Null where the system does not tell (only Linux does).
 */
export function processStart(pid: number): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const ticks = startTicks(pid)
    return ticks === null ? null : `${boot}:${ticks}`
  } catch {
    return null
  }
}

/** When a process began by the present clock, in milliseconds since 1970; null where the system does not tell. Linux counts in hundredths of a second. */
export function processStartTime(pid: number): number | null {
  try {
    const bootedAt = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]
    const ticks = startTicks(pid)
    return bootedAt === undefined || ticks === null ? null : Number(bootedAt) * 1000 + Number(ticks) * 10
  } catch {
    return null
  }
}

/** The name of the program is in brackets and can contain anything; the start is the twentieth field after it. */
function startTicks(pid: number): string | null {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)\s/s, '')
  return fields.split(' ')[19] ?? null
}
