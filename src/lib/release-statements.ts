/** What a signed release record consists of; the service writes it and `assay verify` checks it. */
export const bundleType = 'urn:assay:release-record-bundle:v1'
export const recordType = 'urn:assay:release-record:v1'
export const payloadType = 'application/vnd.in-toto+json'

export interface ReleaseStatement {
  readonly _type: 'https://in-toto.io/Statement/v1'
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[]
  readonly predicateType: string
  readonly predicate: unknown
}

/** The parts of a record that its statements repeat. */
export interface StatedRecord {
  readonly decision: { readonly id: string; readonly status: string; readonly closed_at: string }
  readonly plan: {
    readonly policy: { readonly id: string; readonly name: string; readonly digest: string }
    readonly suite: { readonly id: string; readonly name: string; readonly digest: string }
  }
  readonly rules: readonly { readonly key: string; readonly required: boolean; readonly verdict: string }[]
  readonly app_version: string
}

/**
 * The two in-toto statements about a record: which rules passed, and the outcome as a test result. They follow from the record alone, so
 * that a checker makes them again and compares.
 */
export function statementsOf(record: StatedRecord, sha256: string): readonly [ReleaseStatement, ReleaseStatement] {
  const subject = [{ name: `release-record-${record.decision.id}.json`, digest: { sha256 } }]
  const of = (verdicts: readonly string[]) => record.rules.filter(({ verdict }) => verdicts.includes(verdict)).map(({ key }) => key)
  const { policy, suite } = record.plan
  const result = { approved: 'PASSED', rejected: 'FAILED' }[record.decision.status] ?? 'WARNED'
  const statement = (predicateType: string, predicate: unknown): ReleaseStatement => ({
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType,
    predicate,
  })
  return [
    statement('https://in-toto.io/attestation/svr/v0.2', {
      verifier: {
        id: `urn:assay:release-decisions:${record.app_version}`,
        policies: [{ name: policy.name, digest: { sha256: policy.digest } }],
      },
      timeCreated: record.decision.closed_at,
      properties: of(['pass']).map(key => `ASSAY_RULE_${key}`),
    }),
    statement('https://in-toto.io/attestation/test-result/v0.1', {
      result,
      configuration: [
        { name: `policy ${policy.name}`, digest: { sha256: policy.digest } },
        { name: `suite ${suite.name}`, digest: { sha256: suite.digest } },
      ],
      passedTests: of(['pass']),
      warnedTests: of(['inconclusive', 'missing']),
      failedTests: of(['fail']),
    }),
  ]
}

/**
 * What precedes the payload in DSSE's pre-authentication encoding, which is what is signed. Source: secure-systems-lab/dsse,
 * protocol.md, version 1.0.2. @param payloadBytes length of the payload
 */
export function preAuthHead(payloadBytes: number): string {
  return `DSSEv1 ${payloadType.length} ${payloadType} ${payloadBytes} `
}
