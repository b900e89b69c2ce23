import { formatCount } from './numbers.ts'

/** What a sandbox record says, in one line. */
export function sandboxText(record: {
  readonly title: string
  readonly interpreter: string
  readonly platform: string
  readonly probes_refused: number
  readonly memory_bytes: number
  readonly disk_bytes: number
}): string {
  const mebi = (bytes: number) => `${formatCount(Math.round(bytes / 2 ** 20))} MiB`
  const { title, interpreter, platform, probes_refused: probes, memory_bytes: memory, disk_bytes: disk } = record
  const room = disk > 0 ? `${mebi(memory)} memory, ${mebi(disk)} disk` : `${mebi(memory)} memory, no disk`
  return `${title}: ${interpreter}, ${platform}; all ${formatCount(probes)} probes refused; ${room}`
}

export const codeLanguageNames = { python: 'Python', javascript: 'JavaScript' } as const
