import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { lazily } from '../../lib/lazily.ts'
import { UnpackError } from './unpack-error.ts'

/** As far as it is used here; the types of Node have none of it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** What the decoder of xz-decompress exports (XZ Embedded and its allocator). */
const Decoder = z.object({
  memory: z.custom<{ readonly buffer: ArrayBuffer }>(value => typeof value === 'object' && value !== null && 'buffer' in value),
  create_context: z.custom<() => number>(isFunction),
  supply_input: z.custom<(context: number, bytes: number) => void>(isFunction),
  get_next_output: z.custom<(context: number) => number>(isFunction),
})

/** Fields of a context, in words of four bytes: size of a buffer, then the pointer, position and size of input and of output. */
const field = { bufferSize: 0, input: 1, inputAt: 2, inputSize: 3, output: 4, outputAt: 5 } as const
const answer = { more: 0, end: 1 } as const

/** What the other answers of XZ Embedded say of files that xz itself reads. */
const unknown: { readonly [answer: number]: string } = {
  2: 'its kind of checksum is not known',
  3: 'there is not enough memory',
  4: 'it needs a dictionary of more than 64 MiB',
  6: 'its checksum or a filter is not known',
}
const noStream = 5

/**
 * The package's own stream decodes one file at a time and blocks behind one that was left; with an instance for each file its memory goes
 * when the file does.
 */
const compiled = lazily(() => {
  const script = readFileSync(createRequire(import.meta.url).resolve('xz-decompress'), 'latin1')
  const [, base64] = /data:application\/wasm;base64,([A-Za-z0-9+/=]+)/.exec(script) ?? []
  if (base64 === undefined) throw new Error('xz-decompress has no decoder.')
  return new WebAssembly.Module(Buffer.from(base64, 'base64'))
})

/** Unpacks all streams of an xz file. @throws UnpackError where it is damaged or cut off */
export async function* unpackXz(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = Decoder.parse(new WebAssembly.Instance(compiled()).exports)
  const context = decoder.create_context()
  /** The memory moves when it grows. */
  const fields = (): Uint32Array => new Uint32Array(decoder.memory.buffer, context, 6)
  const valueOf = (name: keyof typeof field): number => fields()[field[name]] ?? 0
  const bufferSize = valueOf('bufferSize')

  /** Unpacks what is in the input buffer. */
  function* unpacked(): Generator<Uint8Array, boolean> {
    for (;;) {
      const found = decoder.get_next_output(context)
      if (found !== answer.more && found !== answer.end) throw faultOf(found)
      const size = valueOf('outputAt')
      if (size > 0) yield new Uint8Array(decoder.memory.buffer, valueOf('output'), size).slice()
      fields()[field.outputAt] = 0
      if (found === answer.end) return true
      if (size < bufferSize && valueOf('inputAt') === valueOf('inputSize')) return false
    }
  }

  for await (const chunk of packed)
    for (let from = 0; from < chunk.length; from += bufferSize) {
      const part = chunk.subarray(from, from + bufferSize)
      new Uint8Array(decoder.memory.buffer, valueOf('input'), part.length).set(part)
      decoder.supply_input(context, part.length)
      yield* unpacked()
    }
  // No input says that no stream follows.
  decoder.supply_input(context, 0)
  if (!(yield* unpacked())) throw new UnpackError('it is cut off')
}

function faultOf(found: number): UnpackError {
  const reason = unknown[found]
  if (reason !== undefined) return new UnpackError(reason, 'xz -d')
  return new UnpackError(found === noStream ? 'it is no xz stream' : 'it is damaged or cut off')
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
