import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'

/**
 * The searched texts of a run one after another, in a file that is read through: memory speed finds a text among 300,000 in a few
 * hundredths of a second. Head: mark, bytes of the file. Then blocks: number of samples, bytes of text; positions; where each ends;
 * texts in UTF-8, ASCII letters in lower case as SQLite's LIKE compares them, each text ended by a zero byte. Numbers are 32 bits.
 */
const mark = 'assay texts 1 '
const headBytes = 32
const samplesOfBlock = 4096

/** Writes the file. It gets its name only when it is whole. */
export function writeTextFile(path: string, samples: Iterable<{ readonly position: number; readonly texts: readonly string[] }>): void {
  const partial = `${path}.partial`
  const file = openSync(partial, 'w', 0o600)
  try {
    let bytes = headBytes
    let block: { position: number; text: Buffer }[] = []
    const flush = () => {
      const data = blockOf(block)
      writeSync(file, data, 0, data.length, bytes)
      bytes += data.length
      block = []
    }
    for (const { position, texts } of samples) {
      block.push({ position, text: lowerCase(texts.map(text => `${text}\0`).join('')) })
      if (block.length === samplesOfBlock) flush()
    }
    if (block.length > 0) flush()
    writeSync(file, `${mark}${bytes}`.padEnd(headBytes), 0)
    fsyncSync(file)
  } catch (error) {
    closeSync(file)
    rmSync(partial, { force: true })
    throw error
  }
  closeSync(file)
  renameSync(partial, path)
}

function blockOf(samples: readonly { readonly position: number; readonly text: Buffer }[]): Buffer {
  const places = Buffer.alloc(8 + 8 * samples.length)
  let end = 0
  for (const [i, { position, text }] of samples.entries()) {
    end += text.length
    places.writeUInt32LE(position, 8 + 4 * i)
    places.writeUInt32LE(end, 8 + 4 * (samples.length + i))
  }
  places.writeUInt32LE(samples.length, 0)
  places.writeUInt32LE(end, 4)
  return Buffer.concat([places, ...samples.map(({ text }) => text)])
}

/** Positions of the samples that hold a text, ascending; null where the file cannot tell: it is not there, not whole, or the text has a zero in it. */
export function searchTextFile(path: string, text: string): number[] | null {
  if (text.includes('\0')) return null
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(headBytes)
    if (readSync(file, head, 0, headBytes, 0) < headBytes || head.toString('latin1').trimEnd() !== `${mark}${size}`) return null
    return searchBlocks(file, size, lowerCase(text))
  } finally {
    closeSync(file)
  }
}

function searchBlocks(file: number, size: number, wanted: Buffer): number[] {
  const found: number[] = []
  const counts = Buffer.alloc(8)
  let block = Buffer.alloc(0)
  for (let at = headBytes; at < size; ) {
    readSync(file, counts, 0, 8, at)
    const samples = counts.readUInt32LE(0)
    const bytes = 8 * samples + counts.readUInt32LE(4)
    if (block.length < bytes) block = Buffer.alloc(bytes)
    readSync(file, block, 0, bytes, at + 8)
    collect(block.subarray(0, bytes), samples, wanted, found)
    at += 8 + bytes
  }
  return found
}

function collect(block: Buffer, samples: number, wanted: Buffer, found: number[]): void {
  const begin = 8 * samples
  let sample = 0
  for (let from = begin; ; ) {
    const hit = block.indexOf(wanted, from)
    if (hit < 0) return
    while (begin + block.readUInt32LE(4 * (samples + sample)) <= hit) sample++
    found.push(block.readUInt32LE(4 * sample))
    // Once is enough for a sample.
    from = begin + block.readUInt32LE(4 * (samples + sample))
    if (++sample === samples) return
  }
}

function lowerCase(text: string): Buffer {
  return Buffer.from(
    text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase()),
    'utf8',
  )
}
