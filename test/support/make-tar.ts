interface TarFile {
  readonly name: string
  readonly content: Uint8Array
  /** `0` a file, `2` a link. */
  readonly kind?: string
}

/** A tar archive of these files, with GNU's records for long names. */
export function makeTar(files: readonly TarFile[]): Buffer<ArrayBuffer> {
  const parts = files.flatMap(file => {
    const long = Buffer.from(`${file.name}\0`)
    return file.name.length > 100
      ? [entry({ name: '././@LongLink', content: long, kind: 'L' }), entry({ ...file, name: file.name.slice(0, 100) })]
      : [entry(file)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

function entry({ name, content, kind = '0' }: TarFile): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(kind, 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}
