/** The sidebar: links to the pages, by group. */
import { Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../ui/language.tsx'
import { Mark } from './mark.tsx'
import { type Destination, destinations, groups } from './navigation.tsx'
import { frameTexts, pageNames } from './texts.ts'
import classes from './frame.module.css'

export function Sidebar({ onNavigate, close }: { onNavigate: () => void; close: ReactNode }) {
  const t = useTexts(frameTexts)
  return (
    <>
      <Group justify="space-between" pr="md" wrap="nowrap">
        <Link to="/" className={classes.brand} onClick={onNavigate}>
          <Mark /> Kontor
        </Link>
        {close}
      </Group>
      <div className={classes.pages}>
        {groups.map((group) => (
          <section key={group} aria-label={t(group)}>
            <h2 className={classes.group}>{t(group)}</h2>
            <ul className={classes.list}>
              {destinations
                .filter((destination) => destination.group === group)
                .map((destination) => (
                  <Entry key={destination.path} destination={destination} onNavigate={onNavigate} />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

interface EntryProps {
  readonly destination: Destination
  readonly onNavigate: () => void
}

function Entry({ destination: { path, name, icon: Symbol }, onNavigate }: EntryProps) {
  const t = useTexts(pageNames)
  return (
    <li>
      <Link
        to={path}
        className={classes.link}
        onClick={onNavigate}
        activeOptions={{ exact: path === '/', includeSearch: false }}
      >
        <Symbol size={19} stroke={1.6} aria-hidden /> {t(name)}
      </Link>
    </li>
  )
}
