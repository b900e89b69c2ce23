import { clipboard, type ContextMenuParams, Menu, type MenuItemConstructorOptions, type WebContents } from 'electron'

/** Shows what can be done with what was clicked: cut, copy, paste, select all, and copying a link. */
export function offerContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, params) => {
    const items = contextItems(params)
    if (items.length > 0) Menu.buildFromTemplate(items).popup()
  })
}

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'linkURL'> & {
  readonly editFlags: Pick<ContextMenuParams['editFlags'], 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll' | 'canUndo' | 'canRedo'>
}

/** The items for what was clicked; none where nothing can be done with it. */
export function contextItems({ isEditable, selectionText, linkURL, editFlags }: Clicked): MenuItemConstructorOptions[] {
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const link: MenuItemConstructorOptions[] =
    linkURL === '' ? [] : [{ label: 'Copy link address', click: () => void clipboard.writeText(linkURL) }]
  if (!isEditable) return [...link, ...(selectionText === '' ? [] : [{ role: 'copy' } as const])]
  return [
    { role: 'undo', enabled: editFlags.canUndo },
    { role: 'redo', enabled: editFlags.canRedo },
    separator,
    { role: 'cut', enabled: editFlags.canCut },
    { role: 'copy', enabled: editFlags.canCopy },
    { role: 'paste', enabled: editFlags.canPaste },
    { role: 'selectAll', enabled: editFlags.canSelectAll },
    ...(link.length > 0 ? [separator, ...link] : []),
  ]
}
