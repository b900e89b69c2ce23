import { formatCount } from '../../../../../lib/format/numbers.ts'
import { formatDuration, formatTimestamp } from '../../../../../lib/format/time.ts'
import type { ClippedText, ExplorerConfig, ExplorerPicture, ExplorerTranscript } from '../explorer-data.ts'
import { element, untrusted } from './dom.mts'
import { cutAtSpans } from './highlight.mts'
import { pictureUrl } from './islands.mts'
import { type Row, outcomeOf } from './rows.mts'
import { scoreText } from './sample-list.mts'

/** What the panel shows of a sample; `transcript` is null where the report does not hold it. */
export function transcriptContent(row: Row, config: ExplorerConfig, transcript: ExplorerTranscript | null): Node[] {
  if (transcript === null) {
    return [
      facts(row, config, null),
      element('p', { class: 'notice' }, 'This report does not hold the transcript of this sample. The JSON export does.'),
    ]
  }
  return [
    facts(row, config, transcript),
    ...errorNote(transcript),
    ...transcript.notices.map(notice => element('p', { class: 'notice' }, ...clipped(notice))),
    ...transcript.messages.flatMap(message => [
      heading(`Prompt: ${message.role}`),
      textBox(`Prompt, ${message.role}`, message, 'text short'),
      ...(message.pictures ?? []).map(picture),
    ]),
    ...reasoningPart(transcript),
    ...outputPart(transcript),
    ...listPart('Choices', transcript.choices ?? []),
    ...listPart(transcript.targets.length === 1 ? 'Target' : 'Targets', transcript.targets),
    ...scorePart(transcript),
  ]
}

function picture(shown: ExplorerPicture): HTMLElement {
  const url = pictureUrl(shown)
  return url === null
    ? element('p', { class: 'quiet' }, 'This report does not hold the image ', element('code', {}, shown.media), '.')
    : element('img', { class: 'picture', src: url, alt: shown.alt })
}

function facts(row: Row, config: ExplorerConfig, transcript: ExplorerTranscript | null): HTMLElement {
  const outcome = outcomeOf(row)
  const entries: [string, (Node | string)[]][] = [
    ['Outcome', [element('span', { class: outcome.className }, outcome.words)]],
    ['Task', untrusted(row.task)],
    ['Profile', untrusted(config.profiles[row.profile]?.title ?? '')],
    ['Latency', [formatDuration(row.latencyMs)]],
    ['Output tokens', [row.outputTokens === null ? '–' : formatCount(row.outputTokens)]],
  ]
  if (row.epoch > 1) entries.push(['Repetition', [String(row.epoch)]])
  if (transcript !== null) {
    entries.push(['Input tokens', [transcript.inputTokens === null ? '–' : formatCount(transcript.inputTokens)]])
    entries.push(['Attempts', [formatCount(transcript.attempts)]])
    entries.push(['Stopped because', transcript.finishReason === null ? ['–'] : untrusted(transcript.finishReason)])
    entries.push(['Finished', [formatTimestamp(transcript.finishedAt)]])
  }
  entries.push(['Sample', [element('code', {}, row.id)]])
  return element(
    'dl',
    { class: 'facts' },
    ...entries.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', { dir: 'auto' }, ...value))),
  )
}

function errorNote({ error }: ExplorerTranscript): Node[] {
  if (error === null) return []
  return [element('p', { class: 'notice' }, element('code', {}, ...untrusted(error.code)), ' ', ...clipped(error.message))]
}

function reasoningPart({ reasoning }: ExplorerTranscript): Node[] {
  if (reasoning === null) return []
  return [element('details', {}, element('summary', {}, 'Reasoning'), textBox('Reasoning', reasoning, 'text'))]
}

/** The output with every extracted answer marked, the first score's apart from the others', and which score found what. */
function outputPart({ output, scores }: ExplorerTranscript): Node[] {
  if (output === null) return [heading('Output'), element('p', { class: 'quiet' }, 'None.')]
  const legend = new Map<string, string>()
  const spans = scores.map(score => score.answer_span)
  const nodes = cutAtSpans(output.text, spans).flatMap(piece => {
    if (piece.covered.length === 0) return untrusted(piece.text)
    const names = piece.covered.map(place => scores[place]?.title ?? '').join(', ')
    const className = piece.covered.includes(0) ? '' : 'other'
    legend.set(names, className)
    return [element('mark', { class: className }, ...untrusted(piece.text))]
  })
  const found = [...legend].flatMap(([names, className]) => [' ', element('mark', { class: className }, ...untrusted(names))])
  return [
    heading('Output'),
    box('Output', 'text', [...nodes, ...omittedNote(output)]),
    ...(found.length === 0 ? [] : [element('p', { class: 'quiet' }, 'Highlighted: the answer extracted by', ...found)]),
  ]
}

function listPart(title: string, texts: readonly ClippedText[]): Node[] {
  if (texts.length === 0) return []
  return [heading(title), ...texts.map((text, index) => textBox(`${title} ${index + 1}`, text, 'text short'))]
}

function scorePart({ scores }: ExplorerTranscript): Node[] {
  if (scores.length === 0) return []
  const columns = ['Metric', 'Score', 'Outcome', 'Answer', 'Explanation']
  const lines = scores.map(score =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', title: `${score.scorer} v${score.scorer_version}` }, ...untrusted(score.title)),
      element('td', { class: 'number' }, scoreText(score.value)),
      element('td', {}, score.class.replaceAll('_', ' '), ...(score.code === null ? [] : [': ', ...untrusted(score.code)])),
      element('td', { dir: 'auto' }, element('bdi', {}, ...(score.answer === null ? ['–'] : clipped(score.answer)))),
      element('td', { dir: 'auto' }, element('bdi', {}, ...clipped(score.explanation))),
    ),
  )
  return [
    heading('Scores'),
    element(
      'div',
      { class: 'scroll' },
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...columns.map(column => element('th', { scope: 'col' }, column)))),
        element('tbody', {}, ...lines),
      ),
    ),
  ]
}

function heading(text: string): HTMLElement {
  return element('h4', {}, text)
}

function textBox(label: string, text: ClippedText, className: string): HTMLElement {
  return box(label, className, clipped(text))
}

/** A box for long text, reachable by keyboard because it may scroll. */
function box(label: string, className: string, nodes: readonly (Node | string)[]): HTMLElement {
  return element('pre', { class: className, dir: 'auto', tabindex: '0', role: 'group', 'aria-label': label }, ...nodes)
}

function clipped(text: ClippedText): (Node | string)[] {
  return [...untrusted(text.text), ...omittedNote(text)]
}

function omittedNote({ omitted }: ClippedText): Node[] {
  if (omitted === 0) return []
  return [element('span', { class: 'hidden-char' }, `… ${formatCount(omitted)} more characters, in the JSON export`)]
}
