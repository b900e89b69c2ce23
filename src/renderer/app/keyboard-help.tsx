import { Anchor, Modal } from '@mantine/core'

const shortcuts: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K, ⌘ K', 'Find a page, run, model, benchmark or dataset'],
  ['?', 'This list'],
  ['↑ ↓, j k', 'Next or previous row; with a row open, the next or previous one opens'],
  ['Page Up, Page Down, Home, End', 'Move through a list, to its very end'],
  ['Enter', 'Open the row'],
  ['Space', 'Select the row'],
  ['← →', 'Matrix: previous or next model'],
  ['d', 'Matrix: only tasks on which the models differ'],
  ['r', 'Transcripts: formatted or raw text'],
  ['p', 'Transcripts: whole prompt or its first line'],
  ['Esc', 'Close what is open beside the list'],
]

/** What the keyboard does, on every page. */
export function KeyboardHelp({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard"
      size={560}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <dl className="shell-keys">
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Anchor href="/docs" target="_blank" rel="noopener">
        API reference
      </Anchor>
    </Modal>
  )
}
