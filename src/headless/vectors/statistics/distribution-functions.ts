import { z } from 'zod'
import { betaQuantile } from '../../../engine/statistics/distributions/beta.ts'
import { binomialCdf } from '../../../engine/statistics/distributions/binomial.ts'
import { chiSquaredSf } from '../../../engine/statistics/distributions/chi-squared.ts'
import { logGamma } from '../../../engine/statistics/distributions/gamma.ts'
import { normalCdf, normalQuantile } from '../../../engine/statistics/distributions/normal.ts'
import { tCdf, tQuantile } from '../../../engine/statistics/distributions/student-t.ts'
import { mulberry32 } from '../../../engine/statistics/random.ts'
import { plain, type VectorFunction, vectorFunction } from './vector-function.ts'

const number = z.number()

export const distributionFunctions: Readonly<Record<string, VectorFunction>> = {
  norm_ppf: vectorFunction(z.object({ p: number }), ({ p }) => plain(normalQuantile(p))),
  norm_cdf: vectorFunction(z.object({ x: number }), ({ x }) => plain(normalCdf(x))),
  t_ppf: vectorFunction(z.object({ p: number, df: number }), ({ p, df }) => plain(tQuantile(p, df))),
  t_cdf: vectorFunction(z.object({ x: number, df: number }), ({ x, df }) => plain(tCdf(x, df))),
  beta_ppf: vectorFunction(z.object({ p: number, a: number, b: number }), ({ p, a, b }) => plain(betaQuantile(p, a, b))),
  chi2_sf: vectorFunction(z.object({ x: number, df: number }), ({ x, df }) => plain(chiSquaredSf(x, df))),
  binom_cdf: vectorFunction(z.object({ k: number, n: number, p: number }), ({ k, n, p }) => plain(binomialCdf(k, n, p))),
  lgamma: vectorFunction(z.object({ x: number }), ({ x }) => plain(logGamma(x))),
  mulberry32: vectorFunction(z.object({ seed: number, count: number }), ({ seed, count }) =>
    plain(Array.from({ length: count }, mulberry32(seed))),
  ),
}
