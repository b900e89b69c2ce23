import { createElement as h, type ReactElement } from 'react'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { showHidden } from '../../../../lib/format/visible-text.ts'
import { pictureBudgetBytes, thumbnailSide } from '../explorer/embed-pictures.ts'
import type { ExplorerConfig } from '../explorer/explorer-data.ts'
import { reportOutcomes } from '../explorer/report-outcomes.ts'
import { section } from './elements.ts'

export interface HeldTranscripts {
  readonly samples: number
  readonly transcripts: number
  readonly budgetBytes: number
  /** Pictures that the transcripts show, and those whose bytes are in the file. */
  readonly pictures: { readonly shown: number; readonly held: number }
}

/** The frame of the sample explorer; its script fills it from the data elements of the page. */
export function samples(config: ExplorerConfig, held: HeldTranscripts): ReactElement {
  return section(
    'samples',
    'Samples',
    h('p', null, heldText(held)),
    held.pictures.shown === 0 ? null : h('p', null, picturesText(held.pictures)),
    h(
      'noscript',
      null,
      h(
        'p',
        { className: 'notice' },
        'This copy has no sample list, which needs scripting. It holds every figure and chart above; the HTML report, opened in a browser, also lists the samples with their transcripts.',
      ),
    ),
    h(
      'div',
      { id: 'explorer', hidden: true },
      filters(config),
      h('p', { id: 'match-count', role: 'status' }),
      h('p', { id: 'print-note', className: 'print-only' }),
      h(
        'div',
        { className: 'explorer-columns' },
        h('div', { className: 'list' }, h('div', { className: 'scroll' }, list(config)), pager()),
        transcriptPanel(),
      ),
    ),
  )
}

/** How many transcripts the file holds, and which were left out. */
function heldText({ samples: count, transcripts, budgetBytes }: HeldTranscripts): string {
  if (count === 0) return 'The run has no samples.'
  if (transcripts === count) return `All ${formatCount(count)} samples are listed, each with its transcript.`
  return (
    `All ${formatCount(count)} samples are listed. To keep the file small, ${formatCount(transcripts)} of them come with their transcript ` +
    `(up to ${formatBytes(budgetBytes)}): first those that failed, are unscored or on which metrics disagree, then others spread evenly over the run. ` +
    'The JSON export has every one.'
  )
}

function picturesText({ shown, held }: HeldTranscripts['pictures']): string {
  const size = `thumbnails of at most ${thumbnailSide} pixels a side`
  return held === shown
    ? `The transcripts show ${formatCount(shown)} different images, as ${size}.`
    : `The transcripts show ${formatCount(shown)} different images, ${formatCount(held)} of which are in this file (${size}, up to ${formatBytes(pictureBudgetBytes)} together). The others are named by their digest.`
}

function filters(config: ExplorerConfig): ReactElement {
  return h(
    'form',
    { id: 'filters', className: 'filters' },
    h(
      'label',
      null,
      'Search ',
      h('input', { id: 'search', type: 'search', placeholder: 'task, answer, prompt, output', autoComplete: 'off' }),
    ),
    select('outcome', 'Outcome', reportOutcomes),
    config.parts.length === 0
      ? null
      : select(
          'part',
          'Part',
          config.parts.map(({ dimension, value }) => showHidden(`${dimension}: ${value}`)),
        ),
    config.profiles.length < 2
      ? null
      : select(
          'profile',
          'Profile',
          config.profiles.map(profile => showHidden(profile.title)),
        ),
    config.metrics.length < 2
      ? null
      : h('label', { className: 'check' }, h('input', { id: 'disagree', type: 'checkbox' }), ' Metrics disagree'),
    h('button', { id: 'clear', type: 'button' }, 'Clear'),
  )
}

/** A choice of one or all; its values are the places of its options. */
function select(id: string, label: string, options: readonly string[]): ReactElement {
  return h(
    'label',
    null,
    `${label} `,
    h(
      'select',
      { id },
      h('option', { value: '' }, 'all'),
      ...options.map((option, index) => h('option', { key: index, value: index }, option)),
    ),
  )
}

function list(config: ExplorerConfig): ReactElement {
  const column = (label: string, className?: string) => h('th', { key: label, scope: 'col', className }, label)
  return h(
    'table',
    { className: 'dense' },
    h('caption', { id: 'list-caption' }, 'Samples'),
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        column('No.', 'number'),
        column('Task'),
        column('Outcome'),
        ...config.metrics.map(metric =>
          h('th', { key: `metric ${metric.id}`, scope: 'col', className: 'number' }, showHidden(metric.title)),
        ),
        column('Answer'),
        column('Target'),
        column('Latency', 'number wide-only'),
        column('Tokens', 'number wide-only'),
      ),
    ),
    h('tbody', { id: 'rows' }),
  )
}

function pager(): ReactElement {
  return h(
    'div',
    { className: 'pager' },
    h('button', { id: 'page-back', type: 'button' }, 'Previous page'),
    h('span', { id: 'page-text' }),
    h('button', { id: 'page-on', type: 'button' }, 'Next page'),
  )
}

function transcriptPanel(): ReactElement {
  return h(
    'section',
    { id: 'transcript', className: 'transcript', 'aria-labelledby': 'transcript-title' },
    h(
      'div',
      { className: 'steps' },
      h('button', { id: 'step-back', type: 'button' }, 'Previous'),
      h('button', { id: 'step-on', type: 'button' }, 'Next'),
    ),
    h('h3', { id: 'transcript-title', 'aria-live': 'polite' }, 'Transcript'),
    h('div', { id: 'transcript-body' }),
    h('p', { className: 'quiet' }, 'Keys: j or arrow down for the next sample, k or arrow up for the one before.'),
  )
}
