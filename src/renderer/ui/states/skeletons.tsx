import { Skeleton } from '@mantine/core'

/** Gray lines in the shape of what is coming. */
export function LinesSkeleton({ lines = 4 }: { readonly lines?: number }) {
  return (
    <div className="stack" aria-busy>
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, line) => (
        // oxlint-disable-next-line react/no-array-index-key -- equal gray lines
        <Skeleton key={line} height={12} width={`${90 - ((line * 17) % 40)}%`} />
      ))}
    </div>
  )
}

export function TableSkeleton({ rows = 12 }: { readonly rows?: number }) {
  return (
    <div className="stack" aria-busy style={{ paddingTop: 8 }}>
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- equal gray rows
        <Skeleton key={row} height={18} />
      ))}
    </div>
  )
}
