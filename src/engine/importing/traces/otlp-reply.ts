import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { OtlpReply } from '../../../contract/traces/traces.schemas.ts'

/** Details of rejected spans; absent where every span was accepted. */
export function otlpReply(rejected: number, reasons: readonly string[]): OtlpReply {
  return rejected === 0 ? {} : { partialSuccess: { rejectedSpans: String(rejected), errorMessage: reasons.join(' ') } }
}

/** ExportTraceServiceResponse in protobuf. */
export function encodeOtlpReply({ partialSuccess }: OtlpReply): Uint8Array {
  const writer = new BinaryWriter()
  if (!partialSuccess) return writer.finish()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64(partialSuccess.rejectedSpans)
  writer.tag(2, WireType.LengthDelimited).string(partialSuccess.errorMessage)
  return writer.join().finish()
}
