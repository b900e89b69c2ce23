import { SidePanel } from '../ui/page/split-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ConnectionDetails } from './connection-details.tsx'
import type { Model } from './models.ts'
import { RouteDetails } from './route-details.tsx'

export function ModelPanel({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  return (
    <SidePanel label="Model" title={<UntrustedText text={model.title} layout="prose" />} onClose={onClose}>
      {model.source.type === 'route' ? (
        <RouteDetails route={model.source.route} />
      ) : (
        <ConnectionDetails connection={model.source.connection} />
      )}
    </SidePanel>
  )
}
