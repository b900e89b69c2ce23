/**
 * Milliseconds of processor time of the longest turn of this thread's loop while `work` is done. Unlike the delay of the loop, it does
 * not grow with what else the machine does; compare it with a bound times `slowness()`.
 */
export async function longestTurnCpuMs(work: () => Promise<void>): Promise<number> {
  let busy = process.threadCpuUsage()
  let longest = 0
  const look = () => {
    const { user, system } = process.threadCpuUsage(busy)
    longest = Math.max(longest, (user + system) / 1000)
    busy = process.threadCpuUsage()
  }
  const looks = setInterval(look, 1)
  try {
    await work()
    look()
  } finally {
    clearInterval(looks)
  }
  return longest
}
