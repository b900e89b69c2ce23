import { config } from 'zod'
import { allowOnlyStyles, type TrustedTypes } from './trusted-types.ts'

// Asking whether it may make code of text, as zod does to be faster, would be a breach of the page's policy by itself.
config({ jitless: true })
allowOnlyStyles((globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes)
