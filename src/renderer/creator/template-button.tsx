import { Anchor } from '@mantine/core'
import { packageTemplate } from '../../contract/creator/package-template.ts'
import { saveText } from '../api/download.ts'
import { notifyFailed } from '../ui/page/notify.ts'

/** A package as JSON that passes every check, to edit and upload. */
export function TemplateButton() {
  const template = packageTemplate({ namespace: 'my-team', name: 'my-benchmark' })
  const save = () => saveText(`${JSON.stringify(template, null, 2)}\n`, 'application/json', 'my-team.my-benchmark-0.1.0.json')
  return (
    <Anchor
      component="button"
      type="button"
      fz="inherit"
      onClick={() => void save().catch((error: unknown) => notifyFailed('The template was not saved', error))}
    >
      Download a template
    </Anchor>
  )
}
