import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import type { UploadPart } from './handler.ts'

/** Benchmarks come in parts: as many files as any of them has, and more. */
const mostFiles = 500

/** The parts of a multipart form in the order sent. A file must be read to its end before the next part is requested. */
export async function* uploadParts(request: FastifyRequest, maxBytes = 1024 * 1024): AsyncGenerator<UploadPart> {
  if (!request.isMultipart())
    throw new ApiError('validation_error', 'The form is missing: send multipart/form-data with at least one "file" part.', {
      detail: [{ loc: ['body'], msg: 'is required', type: 'missing' }],
    })
  const parts = request.parts({
    // Of a folder that was sent whole; who receives it decides whether paths matter.
    preservePath: true,
    limits: { fileSize: maxBytes, files: mostFiles, fields: 20, fieldSize: 256 * 1024, parts: mostFiles + 20 },
  })
  for await (const part of orFormFault(parts)) {
    if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) }
    else if (part.fieldname !== 'file') {
      part.file.resume()
      throw new ApiError('validation_error', `The form has a file part "${part.fieldname.slice(0, 60)}"; files go into parts named "file".`)
    } else {
      yield { kind: 'file', fileName: part.filename, stream: Readable.from(orFormFault<Buffer>(part.file)) }
      if (part.file.truncated)
        throw new ApiError(
          'payload_too_large',
          `The file "${part.filename.slice(0, 100)}" has more than ${formatBytes(maxBytes)}, which is the most that this upload may have.`,
        )
    }
  }
}

/** Passes on what comes; an unreadable form is reported to the sender. */
async function* orFormFault<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/.test(String(error.code)))
      throw new ApiError('payload_too_large', `The form has too many parts: at most ${mostFiles} files and 20 fields are taken.`)
    throw new ApiError(
      'malformed_request',
      'The form cannot be read to its end: it was cut off, or a part is not written as multipart/form-data asks.',
    )
  }
}
