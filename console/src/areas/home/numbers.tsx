/** The key figures at the top of the home page. */
import { Paper, SimpleGrid, Text } from '@mantine/core'
import { IconBox, IconChecklist, IconMail, IconStack2, type Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient, useComponents } from '../../object/client.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import type { UrlState } from '../../ui/url-state.ts'
import { texts } from './texts.ts'
import { openJobs, useOpenRuns } from './running.tsx'
import { useTasks } from './tasks.ts'
import classes from './home.module.css'

export function Numbers({ products }: { products: number | undefined }) {
  const t = useTexts(texts)
  const { common } = useClient()
  const components = useComponents()
  const { data: tasks } = useTasks()
  const { data: runs = [] } = useOpenRuns()
  const { data: inbox } = useQuery({
    queryKey: ['messages', 'unread'],
    queryFn: () => common.listMessages({ query: { unread: 'true', count: '1' } }),
  })
  const overdue = tasks?.tasks?.filter((task) => task.overdue).length ?? 0
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Tile icon={IconBox} label={t('products')} value={products} to="/products" />
      {components['workflow'] === 'active' && (
        <Tile
          icon={IconChecklist}
          label={t('tasks')}
          value={tasks && Number(tasks.total ?? 0)}
          to="/tasks"
          note={t('overdue', { count: overdue })}
          warn={overdue > 0}
        />
      )}
      <Tile icon={IconMail} label={t('messages')} value={inbox?.unread ?? 0} to="/messages" />
      <Tile icon={IconStack2} label={t('jobs')} value={runs.length} to="/settings" search={openJobs} />
    </SimpleGrid>
  )
}

interface TileProps {
  readonly icon: Icon
  readonly label: string
  readonly value: number | undefined
  readonly to: '/products' | '/tasks' | '/messages' | '/settings'
  readonly search?: UrlState
  readonly note?: string
  readonly warn?: boolean
}

function Tile({ icon: Symbol, label, value, to, search, note, warn = false }: TileProps) {
  const format = useFormat()
  return (
    <Paper p="md" className={classes.number} renderRoot={(props) => <Link to={to} search={search} {...props} />}>
      <Symbol size={22} stroke={1.5} aria-hidden />
      <div>
        <Text fz={26} fw={650} lh={1.1}>
          {value === undefined ? '…' : format.number(value)}
        </Text>
        <Text size="sm" c="dimmed">
          {label}
          {note && (
            <Text span c={warn ? 'red' : 'dimmed'}>
              {' · '}
              {note}
            </Text>
          )}
        </Text>
      </div>
    </Paper>
  )
}
