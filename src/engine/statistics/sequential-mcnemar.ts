import { requireCount, requirePositive } from './checks.ts'
import { finiteExp, logBeta } from './distributions/gamma.ts'

/**
 * Sequential McNemar test: E = B(α+b, β+c)/B(α, β) 2^(b+c), the beta-binomial likelihood ratio against "b and c are equally likely".
 *
 * An e-value: stop and reject when E >= 1/α, at any look. Assumes independent questions; 1 before anything is discordant.
 * Source: Robbins 1970 mixture; Grünwald, de Heide & Koolen 2024 for e-values.
 */
export function sequentialMcnemar(onlyFirst: number, onlySecond: number, priorA = 1, priorB = 1): { eValue: number; p: number } {
  requireCount('onlyFirst', onlyFirst)
  requireCount('onlySecond', onlySecond)
  requirePositive('priorA', priorA)
  requirePositive('priorB', priorB)
  const posterior = logBeta(priorA + onlyFirst, priorB + onlySecond)
  const logE = posterior - logBeta(priorA, priorB) + (onlyFirst + onlySecond) * Math.LN2
  return { eValue: finiteExp(logE), p: Math.min(1, Math.exp(-logE)) }
}
