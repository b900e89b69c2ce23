import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib'

/** A zip archive of these files, packed. @param method by which, as newer releases of Inspect write their logs with zstd */
export function makeZip(
  files: readonly { readonly name: string; readonly content: Uint8Array }[],
  method: 'deflate' | 'zstd' = 'deflate',
): Buffer<ArrayBuffer> {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of files) {
    const path = Buffer.from(name)
    const packed = method === 'zstd' ? zstdCompressSync(content) : deflateRawSync(content)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(0x800, 2)
    facts.writeUInt16LE(method === 'zstd' ? 93 : 8, 4)
    facts.writeUInt32LE(crc32(content), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(content.length, 18)
    facts.writeUInt16LE(path.length, 22)
    const head = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, path, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), facts, tail, path]))
    local.push(head)
    offset += head.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 0, 'hex')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, listed, end])
}

/** A zip archive of texts by their paths. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer<ArrayBuffer> {
  return makeZip(Object.entries(files).map(([name, content]) => ({ name, content: Buffer.from(content) })))
}
