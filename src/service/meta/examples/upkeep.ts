import { billingExamples } from '../../../contract/billing/billing.examples.ts'
import { keysExamples } from '../../../contract/keys/keys.examples.ts'
import { type Example, step } from './example.ts'

export const keys: Example = {
  title: 'Give a program its own key',
  steps: [
    step(
      'Create a key with the scopes it needs and a ceiling. It is shown once.',
      'createApiKey',
      { body: keysExamples.createApiKey },
      {
        keep: { KEY_ID: 'id' },
        person: true,
      },
    ),
    step('Raise its ceiling.', 'setKeyCeiling', { params: { key_id: 'KEY_ID' }, body: { ceiling_microusd: '2000000' } }, { person: true }),
    step('Revoke it: open streams and waits end, too.', 'revokeApiKey', { params: { key_id: 'KEY_ID' } }, { person: true }),
  ],
}

export const billing: Example = {
  title: 'Read what was spent',
  steps: [
    step('Buy credit.', 'createPurchase', { body: billingExamples.createPurchase }, { person: true }),
    step('Read the balance and holds.', 'getWallet', {}),
    step('Read each posting.', 'listLedger', {}),
  ],
}

export const backups: Example = {
  title: 'Back up and look after the data',
  steps: [
    step('Start a backup. It is a job.', 'startBackup', {}, { keep: { JOB_ID: 'running.job_id' }, person: true }),
    step('Wait.', 'getJob', { params: { job_id: 'JOB_ID' } }, { until: ['state', 'succeeded', 'failed', 'cancelled'], person: true }),
    step('List backups.', 'listBackups', {}),
    step('Read how much space is used.', 'getStorage', {}),
  ],
}
