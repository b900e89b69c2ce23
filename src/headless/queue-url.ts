/** @throws Error naming the option, without the password that the address may hold */
export function readQueueUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol) || url.hostname === '' || url.pathname.length < 2)
    throw new Error(
      '--queue takes postgres://USER:PASSWORD@HOST:PORT/DATABASE. Environment variable ASSAY_QUEUE keeps it out of the process list.',
    )
  return text
}
