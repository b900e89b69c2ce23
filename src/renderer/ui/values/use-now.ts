import { useEffect, useState } from 'react'

/** The present time in milliseconds, renewed every `every` milliseconds while the component is shown. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
