import { complain } from '../print.ts'

/** What shells expect of a command that Ctrl+C ended: 128 and the number of the signal. */
const interruptedCode = 130

/**
 * Does the work while Ctrl+C is answered with advice; the second one leaves. The service continues either way.
 * @param beforeAdvice ends what is on the present line
 */
export async function whileInterruptible<Result>(advice: string, beforeAdvice: () => void, work: () => Promise<Result>): Promise<Result> {
  let isAdvised = false
  const onInterrupt = () => {
    if (isAdvised) process.exit(interruptedCode)
    isAdvised = true
    beforeAdvice()
    complain(advice)
  }
  process.on('SIGINT', onInterrupt)
  try {
    return await work()
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
