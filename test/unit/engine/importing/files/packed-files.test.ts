import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeBytes } from '../../../../../src/engine/importing/files/decode-bytes.ts'
import { importLimits } from '../../../../../src/engine/importing/files/limits.ts'
import { openArchiveFile } from '../../../../../src/engine/importing/files/unpack-folder.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'
import { lookAt } from './look-at.ts'

/** As the command of that name packs it. */
const line = '{"question":"a?","answer":"x"}\n'
const packed = {
  bzip2: 'QlpoOTFBWSZTWYpSLOwAAA7ZgAAQEAQAEKIhvsogACKaGhoDT9UKZMTIMjBW1axIaOEgA6vV4bBKCfF3JFOFCQilIs7A',
  xz: '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAeeyJxdWVzdGlvbiI6ImE/IiwiYW5zd2VyIjoieCJ9CgAAHzENlYMWqBcAATcf6hiJPR+2830BAAAAAARZWg==',
}
/** The line 10,000 times, in four blocks of bzip2. */
const manyLines = {
  bzip2:
    'QlpoMTFBWSZTWVTFlX4Atq1ZgAAQEAQAEKIhvsowAPgCmTEyDIwpkxMgyMClURppoDT9UyKItooi4iiL1FEW8URbxRFiURaxRFkURcUipHiKItEURZFEWJRFkURcxRFtFEXMURdkoi5RRF7iiLTIoixKItIoi6xRFpkURaxRF/MUFZJlNZ2yKPSgCde1mAABAQBAAQoiG+yjAA+AKZMTIMjCmTEyDIwKVSGhk0NP1TIoi1iiLaKIuIoi08RRF4iiLIoi6RRFkURbFFSN4oi0RRFkURZFEWJRFylEWsURcpRF3iiLlFEXEURb5FEWRRFpFEWsURZFEWkURfzFBWSZTWdUy6AMAH3/ZgAAQEAQAEKIhvsowAPgCmTEyDIwpkxMgyMClUmJoA0/VMiiLXdKIu8UReooi4iiLjeKIsiiLWKIsiiLYoqR4SiLSiiLIoiyKIsiiLmKIt4oi5iiLrFEXKKIvcURZFEWRRFpFEW0URZFEWkURfzFBWSZTWQGaZ1sACYDZgAAQEAQAEKIhvsowALgKZMTIMjCmTEyDIwKVSBpkaNP1TJCdyE2IT3ITUhNSEwhOkhMkJtKKtyE0EJvkhMITCE5ITxITkhNSE5iE+SEwhMITSQnaQnohNJCfxdyRThQkGFZIYU=',
  xz: '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj5LrvAJFdAD2IiieTmMoqLYhFpK+KLE+7/T03Lx6nlmRh2RnuxwHVGf4vgHeBGeXH+/PwzU9cCb335XSpSD6gAQ7fHgZGTyl4S690SZ0aIsX3SLslCQT6+AHzbuzIRLfMpqfXaMNhv3eG5S3YLRgQH164J0PuGsw/UOEIiKGa1nDeTl53KJoKmFRu14vKiD9fMfvIG+/zqwAAAAAATGuW4yH7DacAAa0B8PUSABIoKhaxxGf7AgAAAAAEWVo=',
}
/** Every byte four times over, and runs up to and beyond what a count holds. */
const everyByte = {
  bzip2:
    'QlpoOTFBWSZTWcOBRT8AAAD/////////////////////////////////////////////wAIcAAEmAAmAAJgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAkwAEwABMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEmAAmAAJgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFVUiT0EwTAmATTCMBMTBo0EwmAmTABNPCBMAAAEwBMANBoAAJiMmATBMmmAAAATRiYAAnoImC90CJgz4CEI6R4j5ID4SQkiJGSQkp8RJiTkoJSSolZ8ZLCWkuJeTAmJMiZnyE0PlJqTYm5OD5j5yck6J2RU9J8T8+goBQShH0lDKIUUoxRyFKQUkhilFLKYU0+opxTyoFRPrKkVMqhVSrFXKwfYVkrR9pWyuFdK8V8sBYSxFjLIWU+4sx95DkQRJDwIiKIWBGxUGhCCs8CGgyDLQWktRaz8C2FtLcW8uBcS5FzLoXUuxdy8F5L0XsvhfS/F/MAYEwR+JgzCGFMMYcxBiTFGLPyMYY0xxjzIGRMkZMyhlSLMsZczBmSMM0ZszhnTPGfNAaE0RozSGlNMac1BqT8zVGrNYfofqa01x+xrzYGxNkbM2htTbH7m3Nwbk3Ruz+DeG9P5N8f0b84BwThHDOIcU4xxzkHJOUcs5hzTnHPOgdE6R0zqHVOsdc7B/Z2T/D/TtHbO4f8d07x3zwHhPEeM8h5TzHnPQek9R6z/yLjSMPYe09x7xdyRThQkMOBRT8',
}
const fourMegabytesOfZeros = {
  bzip2: 'QlpoOTFBWSZTWf5U2/MAHqNEAMAAEAAACCAAMMwJqmmipIbUKkh4u5IpwoSH8qbfmA==',
  xz: '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM//8RAWxdAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5WwI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvEgn5lidCe0BEQDsc1On/b6ufDEan7eNMW5wnqcjX+woy4XRlZiKfiqR8id19xnABphNmP3Yr9WQD8QlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/Hze+5owLlbAj4Xzg4HAZcQlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ5Z9yRQAAAG8OvNbpr82UAAGfBYCS9AGxMZzzscRn+wIAAAAABFla',
}
const nothing = { bzip2: 'QlpoORdyRThQkAAAAAA=', xz: '/Td6WFoAAATm1rRGAAAAABzfRCEftvN9AQAAAAAEWVo=' }
/** With a dictionary of 128 MiB, and with SHA-256. */
const unusual = {
  dictionary: '/Td6WFoAAATm1rRGAgAhAR4AAACbB1FmAQAeeyJxdWVzdGlvbiI6ImE/IiwiYW5zd2VyIjoieCJ9CgAAHzENlYMWqBcAATcf6hiJPR+2830BAAAAAARZWg==',
  checksum:
    '/Td6WFoAAArh+wyhAgAhARYAAAB0L+WjAQAeeyJxdWVzdGlvbiI6ImE/IiwiYW5zd2VyIjoieCJ9CgAA3+P/gxJHbTcCcoXdnIxNAZFDETglcstAMuSNrTs12yMAAU8fFOtv2hibS5oBAAAAAApZWg==',
}

/** "set/rows.jsonl" with the line. */
const archive = {
  bzip2:
    'QlpoOTFBWSZTWQuNJ5AAAH7bgMqQUAXtkJAAYjW+yggIIAB1DUNEDIA0D1NBpoGSQGjQNAAA9R9m4MIIEkJBBFG9cofO2QgEIEQKy/ZuD1Yt3fmdYQ5IQDUAacljV7CYbRAgoNlKwoP9FMZtKlx8dz7TE5Jgqspd8jySB+LuSKcKEgFxpPIA',
  xz: '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AIBdADmZSusj4nlas1h6Lxthm6+ZlClyFKv/KKHWLbrsO9vYeJCUcDj7FFho08VRbjzMudpsw1Fya2Z2NC/yflU7/ZlEhxMoOFwA0jHEpADZWR/J9VvsdtnL816Zt1y4NGZBEjmmmTsEtoERfmnFgac/ILdoaLxL2OGQBCjgwTeUloAAAGVFK3pBsOxyAAGcAYBQAADes3QVscRn+wIAAAAABFla',
}

const bytes = (base64: string) => Buffer.from(base64, 'base64')

async function unpacked(content: Uint8Array, step = content.length, limits = importLimits): Promise<Buffer> {
  const parts = function* () {
    for (let from = 0; from < content.length; from += step) yield content.subarray(from, from + step)
  }
  const found: Uint8Array[] = []
  for await (const chunk of decodeBytes(Readable.from(parts()), limits)) found.push(chunk)
  return Buffer.concat(found)
}

describe.each(['bzip2', 'xz'] as const)('a file packed with %s', kind => {
  test('is unpacked, in whatever pieces it arrives', async () => {
    for (const step of [1, 7, 4096]) expect((await unpacked(bytes(packed[kind]), step)).toString()).toBe(line)
    for (const step of [13, 4096])
      expect((await unpacked(bytes(manyLines[kind]), step)).equals(Buffer.from(line.repeat(10_000)))).toBe(true)
    expect(await unpacked(bytes(nothing[kind]))).toHaveLength(0)
  })

  test('may have several streams, one behind the other', async () => {
    const streams = Buffer.concat([bytes(packed[kind]), bytes(manyLines[kind]), bytes(packed[kind])])
    for (const step of [5, streams.length]) expect((await unpacked(streams, step)).equals(Buffer.from(line.repeat(10_002)))).toBe(true)
  })

  test('is refused wherever it is cut off or has another byte', async () => {
    const whole = bytes(packed[kind])
    for (let size = 10; size < whole.length; size++)
      await expect(unpacked(whole.subarray(0, size)), `${size}`).rejects.toThrow(`begins like ${kind} but cannot be unpacked: it is`)
    for (let at = 14; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x10, at)
      // What only fills the last byte has no meaning.
      await unpacked(damaged).then(
        text => expect(text.toString(), `${at}`).toBe(line),
        (error: unknown) => expect(String(error), `${at}`).toMatch(/^FileError: The file begins like .+ but cannot be unpacked: /),
      )
    }
  })

  test('is refused with something else behind it', async () => {
    await expect(unpacked(Buffer.concat([bytes(packed[kind]), Buffer.from('and more of it')]))).rejects.toThrow('cannot be unpacked: it is')
  })

  test('is not read beyond its limits', async () => {
    const zeros = bytes(fourMegabytesOfZeros[kind])
    expect(await unpacked(zeros)).toHaveLength(4_000_000)
    await expect(unpacked(zeros, zeros.length, { ...importLimits, ratioFrom: 1_000_000 })).rejects.toThrow('more than 200 times its size')
    await expect(unpacked(zeros, zeros.length, { ...importLimits, decodedBytes: 1_000_000 })).rejects.toThrow('more than 1000000 bytes')
  })

  test('is a table under the name of what is in it', async () => {
    const { tasks, problems } = await lookAt('jsonl', [
      { name: kind === 'xz' ? 'x.jsonl.xz' : 'x.jsonl.bz2', content: bytes(packed[kind]) },
    ])
    expect(problems).toEqual([])
    expect(tasks.map(({ fields, targets }) => [fields['input'], ...targets])).toEqual([['a?', 'x']])
  })

  test('may be an archive', async () => {
    const folder = temporaryFolder()
    const path = join(folder.path, 'sent')
    writeFileSync(path, bytes(archive[kind]))
    expect((await openArchiveFile(path)).read('set/rows.jsonl').toString()).toBe(line)
    folder.remove()
  })

  test('may be left before its end while another is read', async () => {
    for (let left = 0; left < 3; left++)
      for await (const chunk of decodeBytes(Readable.from([bytes(manyLines[kind])]), importLimits)) {
        expect(chunk.length).toBeGreaterThan(0)
        expect((await unpacked(bytes(packed[kind]))).toString()).toBe(line)
        break
      }
  })
})

test.each([
  ['plain', Buffer.from(line.repeat(10_000))],
  ['gzip', gzipSync(line.repeat(10_000))],
  ['zstd', zstdCompressSync(line.repeat(10_000))],
  ['bzip2', bytes(manyLines.bzip2)],
  ['xz', bytes(manyLines.xz)],
  ['UTF-16', Buffer.from(line.repeat(10_000), 'utf16le')],
  ['an archive that nothing reads', Buffer.from('7z\xbc\xaf\x27\x1c'.padEnd(100), 'latin1')],
])('a file that is left closes what it is read from: %s', async (_, content) => {
  let isClosed = false
  const source = async function* () {
    try {
      for (let i = 0; i < 1000; i++) yield content
    } finally {
      isClosed = true
    }
  }
  for (const wanted of [1, 2, 5]) {
    isClosed = false
    let seen = 0
    await (async () => {
      for await (const chunk of decodeBytes(source(), importLimits)) if (chunk.length > 0 && ++seen >= wanted) break
    })().catch((error: unknown) => expect(String(error)).toContain('7-Zip is not read here'))
    expect(isClosed, `${wanted}`).toBe(true)
  }
})

describe('bzip2', () => {
  test('keeps every byte, and runs of any length', async () => {
    const whole = Array.from({ length: 256 }, (_, i) => i)
    const expected = Buffer.concat([Buffer.from([...whole, ...whole, ...whole, ...whole]), Buffer.from(`aaaa${'b'.repeat(300)}cccc`)])
    expect((await unpacked(bytes(everyByte.bzip2))).equals(expected)).toBe(true)
  })

  test('of a version before 1.0 is unpacked by bzip2', async () => {
    const old = bytes(packed.bzip2)
    // The bit behind the mark and the checksum of the first block.
    old.writeUInt8(old.readUInt8(14) | 0x80, 14)
    await expect(unpacked(old)).rejects.toThrow('Unpack the file first ("bzip2 -d"): it begins like bzip2')
  })

  test('may have zeros behind it, and nothing else', async () => {
    const padded = Buffer.concat([bytes(packed.bzip2), Buffer.alloc(70_000)])
    for (const step of [4096, padded.length]) expect((await unpacked(padded, step)).toString()).toBe(line)
    await expect(unpacked(Buffer.concat([padded, Buffer.from('more')]))).rejects.toThrow('it is followed by something else')
    await expect(unpacked(Buffer.concat([padded, Buffer.from('m')]))).rejects.toThrow('it is cut off')
  })

  test('is no more than a name at the begin of a text', async () => {
    expect((await unpacked(Buffer.from('BZh9,question,answer\n'))).toString()).toBe('BZh9,question,answer\n')
  })
})

describe('xz', () => {
  test.each([
    ['a dictionary that needs much memory', unusual.dictionary, 'it needs a dictionary of more than 64 MiB'],
    ['a checksum that is not computed', unusual.checksum, 'its checksum or a filter is not known'],
  ])('with %s says so', async (_, content, said) => {
    await expect(unpacked(bytes(content))).rejects.toThrow(
      `Unpack the file first ("xz -d"): it begins like xz but cannot be unpacked: ${said}.`,
    )
  })
})
