/** The last changes in whole sentences: who changed what, and when. Changes of the same kind in a row are one sentence. */
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Loaded } from '../../ui/states.tsx'
import { grouped, type Step, toStep } from './activity.ts'
import { Hint, Panel } from './panel.tsx'
import { texts } from './texts.ts'
import classes from './home.module.css'

const read = ['tid', 'name', 'itemType', 'creationDate', 'modificationDate', 'modificationUser']
const mostSentences = 8

function useActivity() {
  const { search } = useClient()
  return useQuery({
    queryKey: ['search', 'activity'],
    staleTime: 30_000,
    queryFn: async () => {
      const { items = [] } = await search.search({
        body: {
          context: { searchType: 'INDEX', index: 'GLOBAL' },
          sortOptions: [{ attribute: 'modificationDate', direction: 'DESC' }],
          resultAttributes: read,
          pageSize: 60,
        },
      })
      return grouped(items.flatMap(toStep))
    },
  })
}

export function Activity() {
  const t = useTexts(texts)
  const activity = useActivity()
  return (
    <Panel title={t('activity')} to="/search">
      <Loaded query={activity}>
        {(groups) =>
          groups.length === 0 ? (
            <Hint>{t('noActivity')}</Hint>
          ) : (
            groups
              .slice(0, mostSentences)
              .map((group) => <Sentence key={`${group[0]!.kind} ${group[0]!.tid}`} group={group} />)
          )
        }
      </Loaded>
    </Panel>
  )
}

const pageOf = ({ kind, tid }: Step) =>
  kind === 'product'
    ? linkOptions({ to: '/products/$tid', params: { tid } })
    : kind === 'asset'
      ? linkOptions({ to: '/assets/$tid', params: { tid } })
      : linkOptions({ to: '/channels', search: { channel: tid } })

function Sentence({ group }: { readonly group: readonly Step[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  const [first] = group as [Step]
  const { user, kind, isNew, at, name } = first
  const verb = isNew ? 'created' : 'changed'
  const many = `${verb}_${kind}` as const
  return (
    <Link {...pageOf(first)} className={classes.row}>
      <Text size="sm" flex={1} lineClamp={2}>
        {group.length === 1 ? t(`${many}_one`, { user, name }) : t(many, { user, name, count: group.length - 1 })}
      </Text>
      <Text size="xs" c="dimmed" title={format.dateTime(at)} style={{ whiteSpace: 'nowrap' }}>
        {format.ago(at)}
      </Text>
    </Link>
  )
}
