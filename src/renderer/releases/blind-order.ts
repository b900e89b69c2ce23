/** Items in an order that says nothing about their run or score, and is the same every time: by a mix of their id's characters. */
export function blindOrder<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((a, b) => mixed(a.id) - mixed(b.id) || (a.id < b.id ? -1 : 1))
}

/** FNV-1a, 32 bits. */
function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193)
  return hash >>> 0
}
