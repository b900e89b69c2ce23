/** What the user reads when Assay cannot start. */
export interface StartFailure {
  readonly title: string
  readonly detail: string
}

/** Failures that the service names, to the heading that says them. Their messages say what to do. */
const titles: Readonly<Record<string, string>> = {
  DataFolderInUseError: 'Another Assay is using this data folder',
  NewerDatabaseError: 'This data folder belongs to a newer Assay',
}

const systemAdvice: Readonly<Record<string, string>> = {
  EACCES: 'Assay may not write in this folder. Make it yours or choose another.',
  EPERM: 'Assay may not write in this folder. Make it yours or choose another.',
  EROFS: 'This folder is on a read-only disk. Choose another.',
  ENOSPC: 'The disk is full. Free some space and start Assay again, or choose a folder on another disk.',
  ENOTDIR: 'This is a file and not a folder. Choose another.',
  EADDRINUSE: 'The port is in use by another program. Close that program, or start Assay with --port 0 to use any free port.',
}

export function describeStartFailure(error: unknown, dataDir: string): StartFailure {
  const { name, message, code } = facts(error)
  const advice = systemAdvice[code]
  const detail = [message, advice, `Data folder: ${dataDir}`].filter(line => line !== undefined && line !== '').join('\n\n')
  return { title: titles[name] ?? 'Assay could not start', detail }
}

function facts(error: unknown): { name: string; message: string; code: string } {
  if (!(error instanceof Error)) return { name: '', message: String(error), code: '' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return { name: error.name, message: error.message, code }
}
