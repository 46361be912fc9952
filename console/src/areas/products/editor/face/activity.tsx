/** Open tasks about the product, and its last changes. */
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../../../object/client.tsx'
import { useAttributes } from '../../../../object/model.ts'
import { useFormat } from '../../../../ui/format.ts'
import { useTexts } from '../../../../ui/language.tsx'
import { useUrlState } from '../../../../ui/url-state.ts'
import type { ProductMessage } from '../product.ts'
import { texts } from '../texts.ts'
import { actionIn } from '../action-names.ts'
import { Section } from './section.tsx'
import classes from './face.module.css'

export function Tasks({ product: { tid = '' } }: { readonly product: ProductMessage }) {
  const t = useTexts(texts)
  const { workflow } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['tasks', 'product', tid],
    queryFn: async () =>
      (await workflow.queryTasks({ body: { scope: 'all', linkedObject: { type: 'product', tid }, count: 5 } })).tasks ??
      [],
  })
  if (data.length === 0) return null
  return (
    <Section title={t('tasks')}>
      {data.map(({ id, name, assignee }) => (
        <div key={String(id)} className={classes.line}>
          <Anchor
            size="sm"
            truncate
            renderRoot={(props) => <Link to="/tasks/$id" params={{ id: String(id) }} {...props} />}
          >
            {name}
          </Anchor>
          <Text span size="xs" c="dimmed">
            {assignee}
          </Text>
        </div>
      ))}
    </Section>
  )
}

export function LastChanges({ product: { tid = '' } }: { readonly product: ProductMessage }) {
  const t = useTexts(texts)
  const format = useFormat()
  const attributes = useAttributes()
  const [, change] = useUrlState()
  const { pim } = useClient()
  const { data = [] } = useQuery({
    queryKey: ['products', 'history', 'last', tid],
    queryFn: async () => (await pim.productHistory({ body: { tid, count: 5 } })).entries ?? [],
  })
  const titleOf = (field = '') => {
    const [, key] = /^vals\.([^.]+)/.exec(field) ?? []
    if (key !== undefined) return attributes.get(key)?.label ?? key
    return field === 'node' ? t('category') : t('name')
  }
  return (
    <Section
      title={t('lastChanges')}
      action={
        <Anchor component="button" size="xs" onClick={() => change({ tab: 'history' }, true)}>
          {t('allChanges')}
        </Anchor>
      }
    >
      {data.map((entry) => {
        const fields = (entry.changes ?? [])
          .map(({ field }) => field)
          .filter((field) => /^(name|node|vals\.)/.test(field ?? ''))
        const what = fields.length > 0 ? [...new Set(fields.map(titleOf))].join(', ') : actionIn(t, entry.action)
        return (
          <div key={String(entry.id)} className={classes.line}>
            <Text span size="sm" truncate title={what}>
              {what}
            </Text>
            <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} title={format.dateTime(entry.at!)}>
              {entry.user} · {format.ago(entry.at!)}
            </Text>
          </div>
        )
      })}
    </Section>
  )
}
