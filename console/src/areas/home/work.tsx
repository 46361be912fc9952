/** The user's own work: open tasks, unsaved drafts in this browser, and what was opened last. */
import type { Infer, WorkflowTask } from '@kontor/contract'
import { Badge, Text, Title } from '@mantine/core'
import { IconBox, IconBroadcast, IconPencil, IconPhoto } from '@tabler/icons-react'
import { Link, linkOptions } from '@tanstack/react-router'
import { useState } from 'react'
import { useComponents, useMe } from '../../object/client.tsx'
import { useSubjects } from '../../object/linked/subject.tsx'
import { useWords } from '../../object/linked/words.ts'
import { useNames } from '../../object/picker.tsx'
import { readRecent, type Visit } from '../../object/recent.ts'
import { type ListedDraft, listDrafts } from '../../object/stored-draft.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Hint, Panel } from './panel.tsx'
import { useTasks } from './tasks.ts'
import { texts } from './texts.ts'
import classes from './home.module.css'

const most = 5

export function Work() {
  const t = useTexts(texts)
  const { id = '' } = useMe()
  const [drafts] = useState(() => listDrafts(id))
  const [recent] = useState(() => readRecent(id))
  return (
    <Panel title={t('work')}>
      <Tasks />
      {drafts.length > 0 && <Drafts drafts={drafts.slice(0, most)} />}
      <Heading>{t('opened')}</Heading>
      {recent.length === 0 && <Hint>{t('nothingOpened')}</Hint>}
      {recent.slice(0, most).map((visit) => (
        <Opened key={`${visit.kind} ${visit.tid}`} visit={visit} />
      ))}
    </Panel>
  )
}

const Heading = ({ children }: { readonly children: string }) => (
  <Title order={3} mt="sm" mb={4} size="sm">
    {children}
  </Title>
)

function Tasks() {
  const t = useTexts(texts)
  const components = useComponents()
  const { data } = useTasks()
  if (components['workflow'] !== 'active') return null
  const list = data?.tasks ?? []
  return (
    <>
      <Heading>{t('toDo')}</Heading>
      {data && list.length === 0 && <Hint>{t('noTasks')}</Hint>}
      <TaskRows tasks={list.slice(0, most)} />
    </>
  )
}

function TaskRows({ tasks }: { tasks: readonly Infer<typeof WorkflowTask>[] }) {
  const t = useTexts(texts)
  const format = useFormat()
  const subjects = useSubjects(tasks)
  const words = useWords(subjects.nameOf)
  return tasks.map((task) => (
    <Link key={String(task.id)} to="/tasks/$id" params={{ id: String(task.id) }} className={classes.row}>
      <div style={{ flex: 1, minWidth: 0 }}>
        {subjects.show(task)}
        <Text size="xs" c="dimmed" truncate>
          {[words.text(task.name, task), words.text(task.processName)].filter(Boolean).join(' · ')}
        </Text>
      </div>
      {task.dueDate && (
        <Badge variant="light" color={task.overdue ? 'red' : 'gray'} tt="none">
          {t('due', { date: format.ago(task.dueDate) })}
        </Badge>
      )}
    </Link>
  ))
}

const pages = {
  product: (tid: string) => linkOptions({ to: '/products/$tid', params: { tid } }),
  asset: (tid: string) => linkOptions({ to: '/assets/$tid', params: { tid } }),
  file: (tid: string) => linkOptions({ to: '/assets/$tid', params: { tid } }),
  project: (tid: string) => linkOptions({ to: '/channels', search: { channel: tid } }),
  briefing: (tid: string) => linkOptions({ to: '/channels', search: { channel: tid, tab: 'briefing' } }),
}
const icons = { product: IconBox, file: IconPhoto, project: IconBroadcast }
const pickerKinds = { product: 'product', asset: 'file', briefing: 'project' } as const

function Drafts({ drafts }: { readonly drafts: readonly ListedDraft[] }) {
  const t = useTexts(texts)
  return (
    <>
      <Heading>{t('drafts')}</Heading>
      {drafts.map((draft) => (
        <Draft key={draft.object} draft={draft} />
      ))}
    </>
  )
}

function Draft({ draft: { kind, tid, at } }: { readonly draft: ListedDraft }) {
  const format = useFormat()
  const nameOf = useNames(pickerKinds[kind], [tid])
  return (
    <Link {...pages[kind](tid)} className={classes.row}>
      <IconPencil size={16} stroke={1.6} aria-hidden />
      <Text size="sm" truncate flex={1}>
        {nameOf(tid)}
      </Text>
      <Text size="xs" c="dimmed">
        {format.ago(new Date(at).toISOString())}
      </Text>
    </Link>
  )
}

function Opened({ visit: { kind, tid, name } }: { readonly visit: Visit }) {
  const Symbol = icons[kind]
  return (
    <Link {...pages[kind](tid)} className={classes.row}>
      <Symbol size={16} stroke={1.6} aria-hidden />
      <Text size="sm" truncate flex={1}>
        {name}
      </Text>
    </Link>
  )
}
