/**
 * The values of the object of a task. A translation has its source language beside the language to translate to; values
 * that changed since the process was started are marked and come first.
 */
import { Badge, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useContentLocale, useContentLocales, useLocaleName } from '../../object/locales.ts'
import { useAttributes } from '../../object/model.ts'
import { displayTextOf, type ValMessage } from '../../object/values/draft.ts'
import { useTexts } from '../../ui/language.tsx'
import type { Task } from './tasks.ts'
import { texts } from './texts.ts'
import classes from './tasks.module.css'

/** The process of a task: when it was started, and its variables. */
export function useProcess({ processId }: Task) {
  const { workflow } = useClient()
  return useQuery({
    queryKey: ['tasks', 'process', processId],
    queryFn: () => workflow.retrieveProcess({ params: { id: String(processId) } }),
    enabled: processId !== undefined,
  }).data
}

/** The languages that matter for a task: the source and, for a translation, the language to translate to. */
export function useTaskLocales(task: Task): readonly string[] {
  const [content] = useContentLocale()
  const known = useContentLocales()
  const variables = (useProcess(task)?.variables ?? {}) as { readonly sourceLocale?: unknown }
  const source = known.find(({ tid }) => tid === variables.sourceLocale)?.tid ?? content
  const target = known.find(({ tid }) => tid === task.item)?.tid
  return target === undefined || target === source ? [source] : [source, target]
}

export interface ValueChange {
  readonly key: string
  readonly locale: string
  readonly from: string
  readonly to: string
  readonly user: string
}

interface ValueTableProps {
  readonly vals: readonly ValMessage[]
  readonly locales: readonly string[]
  readonly changes: readonly ValueChange[]
}

const mostRows = 12

export function ValueTable({ vals, locales, changes }: ValueTableProps) {
  const t = useTexts(texts)
  const attributes = useAttributes()
  const localeName = useLocaleName()
  const [isWhole, setWhole] = useState(false)
  const isTranslation = locales.length > 1
  const changed = new Set(changes.map(({ key }) => key))
  const rows = vals
    .filter(({ parent, attr = '' }) => !parent && (!isTranslation || attributes.get(attr)?.localized))
    .map((val) => ({ key: val.attr ?? '', texts: locales.map((locale) => displayTextOf(val, locale)) }))
    .filter(({ texts: shown }) => shown.some(Boolean))
    .toSorted((a, b) => Number(changed.has(b.key)) - Number(changed.has(a.key)))
  const visible = isWhole || isTranslation ? rows : rows.slice(0, mostRows)
  if (rows.length === 0) return null
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('attribute')}</th>
            {locales.map((locale) => (
              <th key={locale} scope="col">
                {isTranslation ? localeName(locale) : t('value')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map(({ key, texts: shown }) => (
            <tr key={key}>
              <th scope="row">
                {attributes.get(key)?.label ?? key}
                {changed.has(key) && (
                  <Badge ml={6} size="xs" variant="light" color="amber" tt="none">
                    {t('changed')}
                  </Badge>
                )}
              </th>
              {shown.map((text, i) => (
                <td key={locales[i]}>
                  {text || (
                    <Text span size="sm" c="dimmed">
                      {t('empty')}
                    </Text>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {visible.length < rows.length && (
        <Button mt="xs" variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('allValues', { count: rows.length })}
        </Button>
      )}
    </>
  )
}
