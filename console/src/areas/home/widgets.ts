/** The widgets of the home page. Their code is loaded when they are shown; names are stored, so they must not change. */
import { type ComponentType, lazy } from 'react'
import type { texts } from './texts.ts'

type TextName = keyof typeof texts.en
interface Widget {
  readonly title: TextName
  readonly hint: TextName
  readonly component: ComponentType
}

/** A component of a module by its name. */
const from = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] }))

// prettier-ignore
export const widgets = {
  blockers:  { title: 'blockers', hint: 'blockersHint', component: from(() => import('./blockers.tsx'), 'Blockers') },
  work:      { title: 'work', hint: 'workHint', component: from(() => import('./work.tsx'), 'Work') },
  trend:     { title: 'trend', hint: 'trendHint', component: from(() => import('./trend.tsx'), 'Trend') },
  quality:   { title: 'quality', hint: 'qualityHint', component: from(() => import('./quality.tsx'), 'Quality') },
  scores:    { title: 'scores', hint: 'scoresHint', component: from(() => import('./scores.tsx'), 'Scores') },
  channels:  { title: 'completeness', hint: 'completenessHint', component: from(() => import('./channels.tsx'), 'Channels') },
  activity:  { title: 'activity', hint: 'activityHint', component: from(() => import('./activity.tsx'), 'Activity') },
  recent:    { title: 'recent', hint: 'recentHint', component: from(() => import('./recent.tsx'), 'Recent') },
  running:   { title: 'running', hint: 'runningHint', component: from(() => import('./running.tsx'), 'Running') },
} satisfies Record<string, Widget>

export type WidgetName = keyof typeof widgets
export const allWidgets = Object.keys(widgets) as WidgetName[]
const defaultWidgets: readonly WidgetName[] = ['blockers', 'work', 'channels', 'scores', 'quality', 'trend', 'activity']

/** The widgets that a user has chosen, without those that no longer exist. */
export function chosenWidgets(stored: readonly string[] | undefined): readonly WidgetName[] {
  const known = allWidgets.filter((name) => stored?.includes(name))
  if (known.length === 0) return defaultWidgets
  return known.toSorted((a, b) => stored!.indexOf(a) - stored!.indexOf(b))
}

/** Moves an entry by one place up or down. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const target = index + by
  if (target < 0 || target >= list.length) return list
  const next = [...list]
  ;[next[index], next[target]] = [next[target]!, next[index]!]
  return next
}
