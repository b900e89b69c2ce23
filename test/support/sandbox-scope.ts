/** `npm run test:sandbox` grades everything and tries every tier; every test run takes a part of it, since each program takes a process. */
export const everySandbox = process.env['ASSAY_SANDBOX_RUNS'] !== undefined

/** All of them, or every eighth. */
export function inScope<Item>(items: readonly Item[]): Item[] {
  return items.filter((_, i) => everySandbox || i % 8 === 0)
}
