import '../media/media.css'
import { useEffect, useState } from 'react'
import { Picture, Recording } from './media-part.tsx'
import { type ShownType, shownType } from '../media/shown-type.ts'

/** A picture or recording that a text holds as base64, by its bytes. @param name for those who cannot see it */
export function InlineFile({ base64, name }: { readonly base64: string; readonly name: (kind: 'Image' | 'Recording') => string }) {
  const type = shownType(base64)
  return type === null ? <p className="quiet samples-note">A file that cannot be shown here.</p> : <Shown {...{ base64, type, name }} />
}

function Shown({ base64, type, name }: Parameters<typeof InlineFile>[0] & { readonly type: ShownType }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([bytesOf(base64)], { type }))
    // oxlint-disable-next-line react/set-state-in-effect -- an address is made and given back outside React
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [base64, type])
  if (url === null) return null
  const isImage = type.startsWith('image/')
  const title = name(isImage ? 'Image' : 'Recording')
  return (
    <figure className="stack samples-media">{isImage ? <Picture url={url} alt={title} /> : <Recording url={url} name={title} />}</figure>
  )
}

/** As far as it is base64: a file that was cut off shows its beginning. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const whole = /^[\w+/-]*/.exec(base64)?.[0].replaceAll('-', '+').replaceAll('_', '/') ?? ''
  return Uint8Array.from(atob(whole.slice(0, whole.length - (whole.length % 4 === 1 ? 1 : 0))), character => character.charCodeAt(0))
}
