/** Token counts of providers that cannot be true, which older versions stored as they came. */
export const tokenCounts = `
update attempts set input_tokens = null, output_tokens = null, tokens_source = null where input_tokens > 20000000 or output_tokens > 20000000;
update samples set input_tokens = null, output_tokens = null where input_tokens > 20000000 or output_tokens > 20000000;
`
