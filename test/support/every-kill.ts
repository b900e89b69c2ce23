/** `npm run test:faults` kills at every moment there is; every test run at one of each kind, since each kill takes two more starts. */
export const everyKill = process.env['ASSAY_KILLS'] !== undefined
