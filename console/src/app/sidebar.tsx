/** The sidebar: places by group, from the table of places. */
import { Group, ScrollArea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMe } from '../object/client.tsx'
import { useTexts } from '../ui/language.tsx'
import { Mark } from './mark.tsx'
import { groups, type Place, places } from './places.tsx'
import { frameTexts, placeTexts } from './texts.ts'
import classes from './frame.module.css'

export function Sidebar({ onNavigate, close }: { onNavigate: () => void; close: ReactNode }) {
  const t = useTexts(frameTexts)
  const { roles = [] } = useMe()
  const shown = places.filter(({ needs }) => !needs || roles.includes(needs))
  return (
    <>
      <Group justify="space-between" pr="md" wrap="nowrap">
        <Link to="/" className={classes.brand} onClick={onNavigate}>
          <Mark /> Kontor
        </Link>
        {close}
      </Group>
      <ScrollArea flex={1} type="never">
        {groups.map((group) => {
          const ofGroup = shown.filter((place) => place.group === group)
          if (ofGroup.length === 0) return null
          return (
            <section key={group} aria-label={t(group)}>
              <h2 className={classes.group}>{t(group)}</h2>
              <ul className={classes.list}>
                {ofGroup.map((place) => (
                  <Entry key={place.path} place={place} onNavigate={onNavigate} />
                ))}
              </ul>
            </section>
          )
        })}
      </ScrollArea>
    </>
  )
}

function Entry({ place: { path, name, icon: Symbol }, onNavigate }: { place: Place; onNavigate: () => void }) {
  const t = useTexts(placeTexts)
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
