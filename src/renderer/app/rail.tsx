import { Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import { IconChevronDown, IconChevronUp } from '../ui/pictures/icons.tsx'
import { type Destination, destinations } from './navigation.ts'

/** Shown from the first visit; the other areas once they were opened in this browser. */
const firstEntries = ['/', '/catalog', '/models', '/runs', '/compare', '/leaderboard', '/settings']
const place = 'assay.rail.opened'

/** Main navigation: seven entries and what the reader uses; the rest is a click away, and always in the palette. */
export function Rail() {
  const { pathname } = useLocation()
  const current = destinations.find(({ to }) => to !== '/' && (pathname === to || pathname.startsWith(`${to}/`)))?.to
  const [opened, setOpened] = useState(readOpened)
  const [isUnfolded, setUnfolded] = useState(false)
  if (current !== undefined && !firstEntries.includes(current) && !opened.includes(current)) setOpened([...opened, current])
  useEffect(() => localStorage.setItem(place, JSON.stringify(opened)), [opened])
  const isShown = ({ to }: Destination): boolean => isUnfolded || firstEntries.includes(to) || opened.includes(to) || to === current
  const folded = destinations.filter(destination => !isShown(destination)).length
  return (
    <nav className="shell-rail" aria-label="Main">
      <ul>
        {destinations.filter(isShown).map(destination => (
          <RailEntry key={destination.to} {...destination} />
        ))}
        {folded > 0 || isUnfolded ? (
          <li>
            <button type="button" aria-expanded={isUnfolded} onClick={() => setUnfolded(before => !before)}>
              {isUnfolded ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
              <span>{isUnfolded ? 'Fewer' : 'More'}</span>
            </button>
          </li>
        ) : null}
      </ul>
    </nav>
  )
}

function RailEntry({ to, label, icon: Icon }: Destination) {
  // Where the style sheet leaves the rail its icons alone.
  const isNarrow = useMediaQuery('(max-width: 860px)')
  return (
    <li>
      <Tooltip label={label} position="right" disabled={!isNarrow} events={{ hover: true, focus: true, touch: false }}>
        <NavLink to={to} end={to === '/'}>
          <Icon size={16} aria-hidden />
          <span>{label}</span>
        </NavLink>
      </Tooltip>
    </li>
  )
}

/** Addresses of areas; stored data may be outdated or hand-edited. */
function readOpened(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? destinations.map(({ to }) => to).filter(to => kept.includes(to)) : []
  } catch {
    return []
  }
}
