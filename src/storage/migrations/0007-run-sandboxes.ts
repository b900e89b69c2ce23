/** Where a run's model-written code was run, so that its results can say so. */
export const runSandboxes = `
alter table runs add column sandboxes text check (json_valid(sandboxes));
`
