import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { notifyFailed } from '../ui/page/notify.ts'
import { useIdentify } from './local-models.queries.ts'

/** What a page of local files is opened for. */
export interface ModelDrop {
  /** Path of the file that was dropped. */
  readonly dropped: string
}

/** A GGUF file that is dropped anywhere in the window becomes a model, and a benchmark is chosen for it. */
export function useModelDrop(): void {
  const { mutate: identify } = useIdentify()
  const navigate = useNavigate()
  useEffect(() => {
    const hover = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent): void => {
      const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => /\.gguf$/i.test(name))
      if (!file) return
      event.preventDefault()
      // Whatever else on the page takes files.
      event.stopPropagation()
      const path = window.assay?.pathOf(file) ?? ''
      if (path !== '') {
        const state: ModelDrop = { dropped: path }
        identify(path, { onSuccess: () => void navigate('/models/local', { state }) })
        return
      }
      notifyFailed('The file was not added', new Error('A browser does not tell where a file is. Add its folder here.'))
      void navigate('/models/local')
    }
    document.addEventListener('dragover', hover)
    document.addEventListener('drop', drop, true)
    return () => {
      document.removeEventListener('dragover', hover)
      document.removeEventListener('drop', drop, true)
    }
  }, [identify, navigate])
}
