import type { RemoteHost, RemoteMedia } from '../media/remote-media.ts'

/** Hosts at which samples name media files, and how many there are. */
export interface RemoteFacts {
  readonly hosts: readonly RemoteHost[]
  readonly hostCount: number
}

interface Facts {
  readonly problems: readonly { readonly file: string; readonly line: number | null; readonly message: string }[]
  readonly problemCount: number
  readonly warnings: readonly string[]
}

/** A yes that covers less than the samples name is a fault of the whole; the samples of other hosts are left out. */
export function withRemote<F extends Facts>(
  facts: F,
  remote: RemoteMedia | null,
  files: readonly { readonly name: string }[],
): F & { readonly remote?: RemoteFacts } {
  if (!remote) return facts
  const problems = remote.problems().map(message => ({ file: files[0]?.name ?? '', line: null, message }))
  const hosts = remote.hosts()
  return {
    ...facts,
    remote: { hosts, hostCount: remote.hostCount },
    problems: [...problems, ...facts.problems],
    problemCount: facts.problemCount + problems.length,
    warnings: [...facts.warnings, ...hosts.flatMap(remoteWarning)],
  }
}

function remoteWarning({ host, files, allowed, fetched }: RemoteHost): string[] {
  const count = `${files.toLocaleString('en')} media ${files === 1 ? 'file' : 'files'}`
  if (fetched > 0)
    return [
      `${fetched.toLocaleString('en')} of ${count} at ${host} were downloaded now. The model may have been shown others: addresses change.`,
    ]
  if (allowed) return []
  return [
    `Samples name ${count} at ${host}. Import again with "fetch_media" {${JSON.stringify(host)}: ${files}} to have them downloaded; otherwise Inspect samples that show them are left out, and promptfoo prompts keep the address as text.`,
  ]
}
