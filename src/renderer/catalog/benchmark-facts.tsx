import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { ExternalAddress } from '../ui/values/external-address.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { formatCountOrNone, taskCount } from './catalog-columns.tsx'

export function BenchmarkFacts({ benchmark }: { readonly benchmark: BenchmarkDetail }) {
  const { license, homepage, latest_version: version } = benchmark
  return (
    <KeyValues
      items={{
        Runner: benchmark.runner,
        Provider: <UntrustedText text={benchmark.provider} layout="prose" />,
        Capabilities: <UntrustedText text={benchmark.capabilities.join(', ')} layout="prose" />,
        Tasks: formatCountOrNone(taskCount(benchmark)),
        Source: version ? <Identifier value={version.source_ref} what="source reference" shown={60} /> : null,
        Digest: version ? <Identifier value={version.digest} what="digest" shown={12} /> : null,
        License: (
          <span className="row">
            <UntrustedText text={license.name} layout="prose" />
            {license.url ? <ExternalAddress address={license.url} /> : null}
          </span>
        ),
        Homepage: homepage ? <ExternalAddress address={homepage} /> : null,
      }}
    />
  )
}
