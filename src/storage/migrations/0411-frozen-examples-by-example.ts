/** To delete an example, its place in frozen versions is looked for. */
export const frozenExamplesByExample = `
create index dataset_version_examples_of_example on dataset_version_examples (example_no);
`
