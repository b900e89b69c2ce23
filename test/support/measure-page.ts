import type { Locator, Page } from '@playwright/test'

export interface ScrollCost {
  readonly medianMs: number
  readonly p95Ms: number
  /** Processor time of the page's main thread, which other programs do not lengthen as they do the frames. */
  readonly cpuMsPerFrame: number
}

/** Processor time that the page's main thread takes for something, in milliseconds. */
export async function mainThreadMs(page: Page, act: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const cpuSeconds = async () =>
    (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  const before = await cpuSeconds()
  await act()
  const spent = (await cpuSeconds()) - before
  await devtools.detach()
  return spent * 1000
}

/** Scrolls by `pixels` in each of `steps` frames, as a fling or a dragged scroll bar does, and answers what the frames took. */
export async function measureScroll(page: Page, scroller: Locator, steps: number, pixels: number): Promise<ScrollCost> {
  let frames: readonly number[] = []
  const cpuMs = await mainThreadMs(page, async () => {
    frames = await scroller.evaluate(
      async (element, [count, by]) => {
        const lengths: number[] = []
        let last = performance.now()
        for (let step = 0; step < count; step++) {
          element.scrollTop += by
          await new Promise(resolve => requestAnimationFrame(resolve))
          const now = performance.now()
          lengths.push(now - last)
          last = now
        }
        return lengths.toSorted((a, b) => a - b)
      },
      [steps, pixels] as const,
    )
  })
  const quantile = (share: number) => frames[Math.floor(frames.length * share)] ?? Number.NaN
  return { medianMs: quantile(0.5), p95Ms: quantile(0.95), cpuMsPerFrame: cpuMs / steps }
}
