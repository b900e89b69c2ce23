import { readFile } from 'node:fs/promises'
import { type BrowserWindow, dialog } from 'electron'

/** Longest text that a dialog of every system still shows whole, in characters. */
const longestNotes = 2_500

/** The section of a changelog about one version as plain text, or null where it has none. Format: Keep a Changelog. */
export function notesOf(changelog: string, version: string): string | null {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find(text => text.startsWith(version) || text.startsWith(`[${version}]`))
  if (section === undefined) return null
  const body = section.slice(section.indexOf('\n') + 1).trim()
  const plain = body.replaceAll(/^### /gm, '').replaceAll('**', '').replaceAll('`', '')
  return plain.length > longestNotes ? `${plain.slice(0, plain.lastIndexOf('\n', longestNotes))}\n…` : plain
}

/** After an upgrade, says what changed. Shows nothing at the first start, and nothing where the changelog has no section of the version. */
export async function showReleaseNotes(window: BrowserWindow, file: string, version: string, lastVersion: string | null): Promise<void> {
  if (lastVersion === null || lastVersion === version) return
  const notes = notesOf(await readFile(file, 'utf8'), version)
  if (notes === null || window.isDestroyed()) return
  await dialog.showMessageBox(window, { type: 'info', message: `Assay was updated to ${version}`, detail: notes, buttons: ['OK'] })
}
