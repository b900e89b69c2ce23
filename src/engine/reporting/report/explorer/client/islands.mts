import type { ExplorerConfig, ExplorerRow, ExplorerTranscript } from '../explorer-data.ts'

// The data elements were written by the same program as this script, in one file; their shape is not checked again.

export function readConfig(): ExplorerConfig {
  const island = document.getElementById('explorer-config')
  if (island === null) throw new Error('the report has no element "explorer-config"')
  return JSON.parse(island.textContent) as ExplorerConfig
}

export function readRows(): ExplorerRow[] {
  return Array.from(document.querySelectorAll('script.explorer-rows')).flatMap(island => JSON.parse(island.textContent) as ExplorerRow[])
}

/** Null for a sample whose transcript the report does not hold. */
export function readTranscript(position: number): ExplorerTranscript | null {
  const island = document.getElementById(`transcript-${position}`)
  return island === null ? null : (JSON.parse(island.textContent) as ExplorerTranscript)
}
