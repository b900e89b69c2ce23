/** Of the refusal of a zip that has to be several archives: which parts there are, for programs. */
export const severalArchives = (count: number) => ({ loc: ['query', 'part'], msg: `must be from 1 to ${count}`, type: 'several_archives' })

/** How many archives a refusal says that there are; null for another refusal. */
export function archivesIn(detail: readonly { readonly msg: string; readonly type: string }[]): number | null {
  const several = detail.find(({ type }) => type === 'several_archives')
  return several ? Number(several.msg.split(' ').at(-1)) : null
}
