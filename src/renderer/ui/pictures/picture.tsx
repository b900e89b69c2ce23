import './picture.css'
import { Image } from '@mantine/core'

const files: Readonly<Record<string, string>> = import.meta.glob('../../../../resources/docs/guide/pictures/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** A page as it looks in the demo, in the scheme of the reader. `npm run photos -- --guide` takes them. */
export default function Picture({ name, alt, small = false }: { readonly name: string; readonly alt: string; readonly small?: boolean }) {
  const of = (scheme: string) => files[`../../../../resources/docs/guide/pictures/${name}.${scheme}.webp`]
  const look = { className: small ? 'picture picture-small' : 'picture', alt, loading: 'lazy', w: 'auto' } as const
  return (
    <>
      <Image {...look} src={of('light')} darkHidden />
      <Image {...look} src={of('dark')} lightHidden />
    </>
  )
}
