import type { Piece } from '../media/media-pieces.ts'
import { useMediaUrl } from '../media/use-media-url.ts'
import { InlineFile } from '../samples/inline-file.tsx'
import { MediaPartView } from '../samples/media-part.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** @param of what the files belong to, for those who cannot see them */
export function MediaPiecesView({ pieces, of }: { readonly pieces: readonly Piece[]; readonly of: string }) {
  const files = pieces.filter(({ kind }) => kind !== 'text')
  return (
    <div className="stack samples-parts">
      {pieces.map((piece, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- pieces have no identity but their place
        <PieceView key={i} piece={piece} place={files.length > 1 ? ` ${files.indexOf(piece) + 1}` : ''} of={of} />
      ))}
    </div>
  )
}

function PieceView({ piece, place, of }: { readonly piece: Piece; readonly place: string; readonly of: string }) {
  switch (piece.kind) {
    case 'text':
      return <UntrustedText text={piece.text} />
    case 'stored':
      return <StoredFile {...piece} name={`${place} of ${of}`} />
    case 'inline':
      return <InlineFile base64={piece.base64} name={kind => piece.alt ?? `${kind}${place} of ${of}`} />
    case 'linked':
      return (
        <p className="quiet samples-note">
          Not loaded: <UntrustedText text={piece.address.slice(0, 300)} layout="prose" />
        </p>
      )
  }
}

type Stored = Extract<Piece, { kind: 'stored' }>

/** What kind of file it is, its bytes say. */
function StoredFile({ digest, alt, name }: Omit<Stored, 'kind'> & { readonly name: string }) {
  const { type } = useMediaUrl(digest, '512')
  if (type === 'application/pdf')
    return <MediaPartView part={{ type: 'document', media: digest, ...(alt !== null && { title: alt }) }} of={name} />
  if (type.startsWith('audio/'))
    return <MediaPartView part={{ type: 'audio', media: digest, ...(alt !== null && { transcript: alt }) }} of={name} />
  return <MediaPartView part={{ type: 'image', media: digest, ...(alt !== null && { alt }) }} of={name} />
}
