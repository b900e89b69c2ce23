import { simulateRaces } from '../support/simulate-races.ts'

const looks = [0.2, 0.4, 0.6, 0.8, 1]

/** Races of one candidate through the functions that decide real ones, alpha 0.05: what is promised beside what is seen. */
export function benchTuning(races: number): void {
  const rows = [
    ...[0.1, 0.2, 0.3].flatMap(discordant =>
      [200, 500, 1319].map(n => ({
        what: `worse by the margin, ${discordant * 100} % discordant, n ${n}`,
        n,
        discordant,
        worseBy: 0.05,
        shares: looks,
      })),
    ),
    ...[25, 50, 125].map(clusters => ({
      what: `worse by the margin, 20 % discordant, ${clusters} clusters of 4 that answer alike`,
      n: 4 * clusters,
      discordant: 0.2,
      worseBy: 0.05,
      shares: looks,
      clusterSize: 4,
    })),
    { what: 'equal, 10 % discordant, n 500', n: 500, discordant: 0.1, worseBy: 0, shares: looks },
    { what: 'equal, 10 % discordant, n 500, one look', n: 500, discordant: 0.1, worseBy: 0, shares: [1] },
    { what: 'worse by 15 points, n 500', n: 500, discordant: 0.1, worseBy: 0.15, shares: looks },
  ]
  console.log(`${races} simulated races each, margin 0.05, alpha 0.05`)
  console.log('| candidate | accepted | dropped | cases |\n|---|---|---|---|')
  for (const [i, { what, ...race }] of rows.entries()) {
    const { accepted, dropped, cases } = simulateRaces({ races, margin: 0.05, alpha: 0.05, seed: 100 + i, ...race })
    console.log(`| ${what} | ${percent(accepted)} | ${percent(dropped)} | ${cases.toFixed(0)} |`)
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}
