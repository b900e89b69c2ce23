import { Suspense } from 'react'
import { Picture } from '../ui/states/empty-state.tsx'
import { Section } from '../ui/page/page-header.tsx'

/** What the three steps lead to, as the demo has it: strip, interval and a wrong sample. */
export function FinishedResult() {
  return (
    <Section title="What a finished run shows">
      <Suspense fallback={null}>
        <div className="home-result">
          <figure>
            <Picture name="result" alt="A result of the demo: the score with its interval, and a strip with one cell for each sample" />
            <figcaption className="quiet small">The score with its interval, and one cell for each sample</figcaption>
          </figure>
          <figure>
            <Picture name="samples" alt="A wrong sample of the demo: answer and target beside the prompt and the output" />
            <figcaption className="quiet small">A wrong sample: its answer, the target, and what the model wrote</figcaption>
          </figure>
        </div>
      </Suspense>
    </Section>
  )
}
