import type { ReactNode, SVGProps } from 'react'

export interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in CSS pixels; 24 as drawn. */
  readonly size?: number
}

export type Icon = (props: IconProps) => ReactNode

/** Drawn on a grid of 24 by lines of 2 with round ends. A library of icons takes 89 MB of an installation for these 59. */
function drawn(lines: string, style: Pick<SVGProps<SVGSVGElement>, 'fill' | 'strokeDasharray'> = {}): Icon {
  return ({ size = 24, ...props }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...style}
      {...props}
    >
      <path d={lines} />
    </svg>
  )
}

const filled = { fill: 'currentColor' } as const
const circle = 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z'
const bookmark = 'M7 4h10v16l-5-4l-5 4z'
const funnel = 'M4 5h16l-6 7.5v6.5l-4-2v-4.5z'

export const IconAdjustments = drawn(
  'M6 4v8m0 4v4m0-8a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM12 4v2m0 4v10m0-14a2 2 0 1 0 0 4a2 2 0 1 0 0-4zM18 4v10m0 4v2m0-6a2 2 0 1 0 0 4a2 2 0 1 0 0-4z',
)
export const IconAlertTriangle = drawn('M12 4l9.2 16h-18.4zM12 10v4m0 3v.01')
export const IconArrowDown = drawn('M12 5v14m-6-6l6 6l6-6')
export const IconArrowUp = drawn('M12 19v-14m-6 6l6-6l6 6')
export const IconArrowsShuffle = drawn('M3 7h4l8 10h5M3 17h4l2.5-3.1M13 9.8l2.2-2.8h4.8M17.5 4.5l2.5 2.5l-2.5 2.5m0 5l2.5 2.5l-2.5 2.5')
export const IconBaselineDensityMedium = drawn('M4 5h16M4 12h16M4 19h16')
export const IconBaselineDensitySmall = drawn('M4 4h16M4 9.3h16M4 14.7h16M4 20h16')
export const IconBookmark = drawn(bookmark)
export const IconBookmarkFilled = drawn(bookmark, filled)
export const IconBookmarks = drawn('M5 8h9v13l-4.5-3.5l-4.5 3.5zM9 4h10v13')
export const IconBooks = drawn('M4 4h5v16h-5zM9 4h5v16h-5zM14.5 5.5l3.5-1l3.5 14.5l-3.5 1zM4 8h5M9 16h5')
export const IconBriefcase = drawn('M3 8h18v12h-18zM8 8v-4h8v4M3 13c5 2.5 13 2.5 18 0M12 13v2.5')
export const IconCalendar = drawn('M4 6h16v15h-16zM4 11h16M8 3v5M16 3v5')
export const IconCheck = drawn('M5 12.5l4.5 4.5l9.5-10')
export const IconChevronDown = drawn('M6 9l6 6l6-6')
export const IconChevronUp = drawn('M6 15l6-6l6 6')
export const IconCircleCheck = drawn(`${circle}M8 12.5l3 3l5-6`)
export const IconCircleDashed = drawn(circle, { strokeDasharray: '3.6 3.47' })
export const IconCircleX = drawn(`${circle}M9 9l6 6m0-6l-6 6`)
export const IconCode = drawn('M8 7l-5 5l5 5M16 7l5 5l-5 5M14 4l-4 16')
export const IconColumns3 = drawn('M4 4h16v16h-16zM9.3 4v16M14.7 4v16')
export const IconCopy = drawn('M9 9h11v11h-11zM5 15h-1v-11h11v1')
export const IconCpu = drawn('M6 6h12v12h-12zM10 10h4v4h-4zM9 3v3M15 3v3M9 18v3M15 18v3M3 9h3M3 15h3M18 9h3M18 15h3')
export const IconDatabase = drawn(
  'M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3s-3.6 3-8 3s-8-1.3-8-3zM4 6v12c0 1.7 3.6 3 8 3s8-1.3 8-3v-12M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3',
)
export const IconDatabaseExclamation = drawn(
  'M3 6c0-1.7 3.1-3 7-3s7 1.3 7 3s-3.1 3-7 3s-7-1.3-7-3zM3 6v12c0 1.7 3.1 3 7 3h3M3 12c0 1.7 3.1 3 7 3h3M17 6v4M19 13v4m0 4v.01',
)
export const IconDownload = drawn('M12 4v11m-5-5l5 5l5-5M4 20h16')
export const IconExternalLink = drawn('M18 13v6h-13v-13h6M14 4h6v6M20 4l-9 9')
export const IconEye = drawn(
  'M2.5 12c2.5-4.5 5.7-6.5 9.5-6.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5s-7-2-9.5-6.5zM12 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5z',
)
export const IconFileUpload = drawn('M14 3h-8v18h12v-14zM14 3v4h4M12 17v-6m-2.5 2.5l2.5-2.5l2.5 2.5')
export const IconFilter = drawn(funnel)
export const IconFilterFilled = drawn(funnel, filled)
export const IconGavel = drawn('M13 3.5l7 7l-4 4l-7-7zM11 12.5l-7.5 7.5M13 20h8')
export const IconHelp = drawn(`${circle}M9.3 9.4a2.8 2.8 0 1 1 4 2.7c-.9.4-1.3 1-1.3 1.9M12 17v.01`)
export const IconHistory = drawn('M4 12a8 8 0 1 0 2.5-5.8l-2.5 2.3M4 4v4.5h4.5M12 8v4.5l3 1.5')
export const IconHome = drawn('M3.5 11.5l8.5-7.5l8.5 7.5M6 9.5v10.5h12v-10.5M10 20v-6h4v6')
export const IconInfoCircle = drawn(`${circle}M12 11v5.5m0-9v.01`)
export const IconListCheck = drawn('M11 6h9M11 12h9M11 18h9M4 6l1.5 1.5l2.5-2.5M4 12l1.5 1.5l2.5-2.5M4 18l1.5 1.5l2.5-2.5')
export const IconLoader = drawn('M12 3v4M12 17v4M3 12h4M17 12h4M5.6 5.6l2.9 2.9M15.5 15.5l2.9 2.9M5.6 18.4l2.9-2.9M15.5 8.5l2.9-2.9')
export const IconMessageReport = drawn('M4 4h16v13h-8l-5 4v-4h-3zM12 7.5v3.5m0 2.7v.01')
export const IconMinus = drawn('M5 12h14')
export const IconNote = drawn('M5 4h14v10l-5 6h-9zM19 14h-5v6')
export const IconPackage = drawn('M12 3l8 4.5v9l-8 4.5l-8-4.5v-9zM4 7.5l8 4.5l8-4.5M12 12v9')
export const IconPinFilled = drawn('M8 3h8l-1.5 6.5l4 4h-13l4-4zM12 13.5v7.5', filled)
export const IconPlayerPlay = drawn('M7 4l13 8l-13 8z')
export const IconPlugConnectedX = drawn('M4 20l3-3M7 17l-1.5-1.5a3 3 0 0 1 0-4.2l3-3l7.2 7.2l-3 3a3 3 0 0 1-4.2 0zM15.5 3.5l5 5m0-5l-5 5')
export const IconPlus = drawn('M12 5v14M5 12h14')
export const IconPrinter = drawn('M7 9v-5h10v5M7 17h-3v-8h16v8h-3M7 14h10v6h-10z')
export const IconQuotes = drawn('M10 6c-3.5 1-5 3.5-5 7v4h5v-4h-5M19 6c-3.5 1-5 3.5-5 7v4h5v-4h-5')
export const IconRocket = drawn('M20 4c-6 0-10 3-12 8l4 4c5-2 8-6 8-12zM8 12l-4 .5l2-3.5h3M12 16l-.5 4l3.5-2v-3M15 9v.01M7 17l-3 3')
export const IconScale = drawn('M12 4v16M7 20h10M5 7l7-2l7 2M5 7l-3 6a3.2 3.2 0 0 0 6 0zM19 7l-3 6a3.2 3.2 0 0 0 6 0z')
export const IconSearch = drawn('M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM15.2 15.2l5.3 5.3')
export const IconSettings = drawn(
  'M12 5.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13zM12 9.8a2.2 2.2 0 1 0 0 4.4a2.2 2.2 0 1 0 0-4.4zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1',
)
export const IconTag = drawn('M4 4h8l8.5 8.5l-8 8l-8.5-8.5zM8.3 8.3v.01')
export const IconTimeline = drawn('M4 6h9M8 12h9M13 18h7')
export const IconTrash = drawn('M4 7h16M9 7v-3h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5')
export const IconTrophy = drawn('M7 4h10v6a5 5 0 0 1-10 0zM7 6h-3v2a3 3 0 0 0 3 3M17 6h3v2a3 3 0 0 1-3 3M12 15v5M8 20h8')
export const IconUser = drawn('M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM4 20.5c.8-3.7 4-5.5 8-5.5s7.2 1.8 8 5.5')
export const IconX = drawn('M6 6l12 12m0-12l-12 12')
