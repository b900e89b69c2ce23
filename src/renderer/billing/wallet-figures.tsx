import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { Money } from '../ui/values/figures.tsx'
import { useWallet } from './wallet.queries.ts'

export function WalletFigures() {
  return (
    <QueryView query={useWallet()} failure="Couldn’t load the wallet" loading={<LinesSkeleton lines={2} />}>
      {wallet => (
        <dl className="wallet-figures">
          <Figure name="Balance" microUsd={wallet.balance_microusd} />
          <Figure name="Held for runs" microUsd={wallet.held_microusd} />
          <Figure name="Available" microUsd={wallet.available_microusd} />
          <Figure name="Spent so far" microUsd={wallet.spent_microusd} />
        </dl>
      )}
    </QueryView>
  )
}

function Figure({ name, microUsd }: { readonly name: string; readonly microUsd: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money microUsd={microUsd} />
      </dd>
    </div>
  )
}
