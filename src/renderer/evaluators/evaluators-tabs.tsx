import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from 'react-router'

const tabs = [
  { to: '/evaluators', label: 'Evaluators' },
  { to: '/evaluators/remote-scorers', label: 'Remote scorers' },
]

export function EvaluatorsTabs() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <Tabs value={pathname} onChange={to => to !== null && void navigate(to)}>
      <Tabs.List>
        {tabs.map(({ to, label }) => (
          <Tabs.Tab key={to} value={to}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
