import { mediaEndings } from '../contract/media/media.schemas.ts'
import { trimEndOf } from '../lib/trim-end.ts'

/** What the shell saves: extension to the words of the save dialog. Nothing in it is a program. */
export const savedTypes: ReadonlyMap<string, string> = new Map([
  ['html', 'Web page'],
  ['csv', 'Comma-separated values'],
  ['json', 'JSON'],
  ['jsonl', 'JSON lines'],
  ['xml', 'XML'],
  ['yaml', 'YAML'],
  ['md', 'Markdown'],
  ['txt', 'Text'],
  ['svg', 'SVG picture'],
  ['eval', 'Inspect log'],
  ['parquet', 'Apache Parquet'],
  ['zip', 'ZIP archive'],
  ...Object.entries(mediaEndings).map(([type, ending]) => [ending, describeMedia(type, ending)] as const),
])

function describeMedia(type: string, ending: string): string {
  return `${ending.toUpperCase()} ${type.startsWith('image/') ? 'picture' : type.startsWith('audio/') ? 'recording' : 'document'}`
}

/** Longest name before the extension, in UTF-16 code units: short enough for every file system once it is encoded. */
const longestStem = 80

/** Control characters, the marks that reverse the direction of text (they can make `fdp.exe` read as `exe.pdf`), and what Windows forbids. */
const unsafeCharacters = /[\p{Cc}\p{Cf}<>:"|?*]/gu

/** Device names that Windows takes for themselves whatever the extension. */
const windowsDevice = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i

export interface FileName {
  readonly name: string
  readonly extension: string
}

/**
 * The suggested name as a plain file name without any folder.
 * @throws TypeError when its extension is not one of `savedTypes`.
 */
export function safeFileName(suggested: string): FileName {
  const last = suggested.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replaceAll(unsafeCharacters, '')
  const dot = clean.lastIndexOf('.')
  const extension = dot < 0 ? '' : clean.slice(dot + 1).toLowerCase()
  if (!savedTypes.has(extension)) {
    throw new TypeError(
      `Cannot save "${clean.slice(0, 100)}": its name must end in one of ${[...savedTypes.keys()].map(type => `.${type}`).join(', ')}.`,
    )
  }
  const stem = trimEndOf(clean.slice(0, Math.min(dot, longestStem)).toWellFormed(), /[. ]/).replace(/^[. ]+/, '')
  const named = stem === '' || windowsDevice.test(stem) ? `assay-${stem}`.replace(/-$/, '') : stem
  return { name: `${named}.${extension}`, extension }
}
