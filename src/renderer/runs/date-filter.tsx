import { Button, Popover, TextInput } from '@mantine/core'
import { textField } from '../ui/forms/fields.ts'
import { IconCalendar } from '../ui/pictures/icons.tsx'
import { useAddress } from '../ui/table/use-address.ts'

const day = /^\d{4}-\d{2}-\d{2}$/
const presets = [
  { label: 'Today', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
] as const

/** The days of the address as times, of this machine's time zone; a day that is none narrows nothing. */
export function createdBetween(from: string, to: string) {
  return { created_from: startOf(from, 0), created_before: startOf(to, 1) }
}

/** First and last day on which a run was created, kept in the address. */
export function DateFilter() {
  const { get, set } = useAddress()
  const [from, to] = [get('from'), get('to')]
  return (
    <Popover width={260} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconCalendar size={16} aria-hidden />}>
          {describe(from, to)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Date">
        <div className="stack" style={{ gap: 8 }}>
          <div className="row" style={{ gap: 4 }}>
            {presets.map(({ label, days }) => (
              <Button key={label} size="compact-xs" variant="default" onClick={() => set({ from: dayBefore(days - 1), to: null })}>
                {label}
              </Button>
            ))}
          </div>
          <TextInput type="date" label="From" {...textField(from, text => set({ from: text }))} />
          <TextInput type="date" label="Until" {...textField(to, text => set({ to: text }))} />
          <Button variant="subtle" color="gray" disabled={from === '' && to === ''} onClick={() => set({ from: null, to: null })}>
            Any date
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function describe(from: string, to: string): string {
  if (from === '' && to === '') return 'Date'
  if (to === '') return `From ${from}`
  return from === '' ? `Until ${to}` : from === to ? from : `${from} to ${to}`
}

/** The midnight with which a day, or one after it, begins. */
function startOf(text: string, later: number): string | undefined {
  if (!day.test(text)) return undefined
  const time = new Date(`${text}T00:00:00.000`)
  if (Number.isNaN(time.getTime())) return undefined
  time.setDate(time.getDate() + later)
  return time.toISOString()
}

function dayBefore(days: number): string {
  const time = new Date()
  time.setDate(time.getDate() - days)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
