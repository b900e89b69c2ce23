import { useLocation } from 'react-router'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { ReportEditor } from './report-editor.tsx'
import { formFromAddress } from './report-form.ts'

/** A report, filled in by the error that it began at. */
export function ReportPage() {
  const { get } = useAddress()
  return (
    <Page layout="narrow">
      <PageHeader
        title="New report"
        parent={{ title: 'Feedback', to: '/feedback' }}
        description="Report a defect, a missing feature or wrong documentation. Reports stay in this workspace and are read by its owners."
      />
      <ReportEditor key={useLocation().search} initial={formFromAddress(get)} />
    </Page>
  )
}
