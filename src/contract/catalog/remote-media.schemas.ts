import { z } from 'zod'

/** Hosts from which one import downloads media, and addresses of all of them. */
export const mostMediaHosts = 100
const mostMediaAddresses = 1_000_000

/** A yes to download media from these hosts, at most as many files as stated for each. */
export const FetchMedia = z
  .record(z.string().regex(/^[^\s/@?#]{1,260}$/, 'must be a host, or host:port'), z.int().min(1).max(mostMediaAddresses))
  .refine(hosts => Object.keys(hosts).length <= mostMediaHosts, `must name at most ${mostMediaHosts} hosts`)
  .refine(
    hosts => Object.values(hosts).reduce((sum, files) => sum + files, 0) <= mostMediaAddresses,
    `must allow at most ${mostMediaAddresses.toLocaleString('en')} files in all`,
  )
export type FetchMedia = z.infer<typeof FetchMedia>

/** What a record says of media that its files name by address. */
export const remoteMedia = {
  remote_media: z
    .array(
      z.strictObject({
        host: z.string().describe('As addresses have it: `host`, or `host:port`.'),
        files: z.int().min(1).describe('Different addresses.'),
        allowed: z.boolean().describe('Whether `fetch_media` covers them.'),
        fetched: z.int().min(0).describe('Addresses whose files were downloaded.'),
      }),
    )
    .max(mostMediaHosts)
    .default([])
    .describe(
      `Hosts at which rows or samples name media files: those that \`fetch_media\` names, then the others, most files first. At most ${mostMediaHosts}; \`remote_hosts\` is the total.`,
    ),
  remote_hosts: z.int().min(0).default(0).describe('Hosts at which rows or samples name media files.'),
}
