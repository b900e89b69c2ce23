import type { ExplorerConfig, ExplorerPicture, ExplorerPictureData, ExplorerRow, ExplorerTranscript } from '../explorer-data.ts'

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

/** An address of a picture's bytes; null for one that the report does not hold. */
export function pictureUrl({ media }: ExplorerPicture): string | null {
  const island = document.getElementById(`media-${media.replace('sha256:', '')}`)
  if (island === null) return null
  const { type, base64 } = JSON.parse(island.textContent) as ExplorerPictureData
  return `data:${type};base64,${base64}`
}
