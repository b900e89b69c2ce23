/** A dataset that nothing rests on can be deleted with its versions: `service/items` keeps the others. */
export const deletableDatasets = `
drop trigger dataset_versions_kept;
drop trigger dataset_version_examples_kept;
`
