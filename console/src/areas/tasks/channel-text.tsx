/** A channel text that a task is about: its product and channel, and its values in the language of the task. */
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { kindOf, pageOf, useLinked } from '../../object/linked/linked.ts'
import { emptyWhenNotFound } from '../../object/not-found.ts'
import { useTexts } from '../../ui/language.tsx'
import type { Task } from './tasks.ts'
import { texts } from './texts.ts'
import { useTaskLocales, ValueTable } from './value-table.tsx'

export function ChannelText({ tid, task }: { tid: string; task: Task }) {
  const t = useTexts(texts)
  const { peo } = useClient()
  const locales = useTaskLocales(task)
  const { data: found } = useQuery({
    queryKey: ['peos', 'one', tid],
    queryFn: async () => (await peo.peos.retrieve({ tids: [tid] }).catch(emptyWhenNotFound([])))[0] ?? null,
  })
  const product = found?.productTid && { type: 'product', tid: found.productTid }
  const channels = (found?.nodes?.node ?? []).map((one) => ({ type: 'project', tid: one.tid ?? '' }))
  const around = [...(product ? [product] : []), ...channels]
  const nameOf = useLinked(around)
  if (found === undefined) return null
  if (found === null) return <Text size="sm">{t('gone')}</Text>
  return (
    <>
      {around.map((one) => {
        const page = pageOf(kindOf(one), one.tid)!
        return (
          <Anchor key={one.tid} size="sm" renderRoot={(props) => <Link {...page} {...props} />}>
            {nameOf(one)?.label ?? one.tid}
          </Anchor>
        )
      })}
      <ValueTable vals={found.vals?.val ?? []} locales={locales} changes={[]} />
    </>
  )
}
