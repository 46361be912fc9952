/** The audit log, newest first: filtered on the server by person, kind, object, period and result, and exported as CSV. */
import { Badge, Button, Drawer, Group, Select, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { AuditEntry, type Infer } from '@kontor/contract'
import { IconDownload, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { useKeysetPages } from '../../object/keyset-pages.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { PickOne } from '../../object/picker.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { notifyDone } from '../../ui/notifications.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { toCsv } from './csv.ts'
import { systemTexts } from './system-texts.ts'
import { texts } from './texts.ts'

type Event = Infer<typeof AuditEntry>
// prettier-ignore
const families = [
  'sign-in', 'logout', 'token', 'user', 'role', 'group', 'client', 'admin', 'backup', 'keys',
  'object', 'change', 'rule', 'export', 'feed', 'share', 'file', 'rendition', 'usage',
] as const
const outcomes = ['success', 'failure'] as const

/** The words for an action; one that the console does not know is shown as the server names it. */
function useActionWords(): (action?: string) => string {
  const s = useTexts(systemTexts)
  return (action = '') => {
    const key = `act_${action}`
    return Object.hasOwn(systemTexts.en, key) ? s(key as 'act_sign-in') : action
  }
}

export function AuditPart() {
  const t = useTexts(texts)
  const s = useTexts(systemTexts)
  const labelOf = useLabels(texts)
  const wordOf = useActionWords()
  const [opened, setOpened] = useState<Event>()
  const { filters, query, paging } = useEvents()
  return (
    <>
      <Filters filters={filters} />
      <ListPage
        type={AuditEntry}
        label={t('audit')}
        query={query}
        paging={paging}
        labelOf={labelOf}
        keyOf={({ seq }) => String(seq)}
        filter={false}
        onOpen={setOpened}
        emptyList={
          <Empty icon={IconShieldCheck} title={s('noEvents')}>
            {s('noEventsHint')}
          </Empty>
        }
        rowHeight={36}
        fields={{
          at: { width: '11.5rem' },
          actor: { width: 'minmax(6rem, 1fr)' },
          action: { width: 'minmax(10rem, 1.5fr)', text: ({ action }) => wordOf(action) },
          object: { width: 'minmax(8rem, 1.5fr)' },
          address: { width: '8rem' },
          outcome: {
            width: '7rem',
            show: ({ outcome }) => (
              <Badge variant="dot" tt="none" color={outcome === 'failure' ? 'red' : 'teal'}>
                {t(outcome === 'failure' ? 'failure' : 'success')}
              </Badge>
            ),
          },
          ...hide('seq', 'client', 'session', 'supportId'),
        }}
      />
      {opened && <Detail event={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function Filters({ filters }: { filters: Readonly<Record<string, string>> }) {
  const s = useTexts(systemTexts)
  const [fields, change] = useUrlState()
  const exportAll = useExport(filters)
  const dateOf = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      label={s(name)}
      value={fields[name] ?? ''}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  )
  return (
    <Group p="xs" gap="xs" align="flex-end">
      <PickOne
        kind="user"
        label={s('person')}
        value={fields.actor}
        onChange={(actor) => change({ actor })}
        placeholder={s('family_all')}
      />
      <Select
        label={s('kind')}
        data={families.map((value) => ({ value, label: s(`family_${value}`) }))}
        value={fields.action ?? null}
        placeholder={s('family_all')}
        onChange={(action) => change({ action: action ?? undefined })}
        clearable
      />
      <TextInput
        label={s('object')}
        placeholder={s('objectHint')}
        value={fields.object ?? ''}
        onChange={({ currentTarget }) => change({ object: currentTarget.value })}
      />
      {dateOf('from')}
      {dateOf('to')}
      <Select
        label={s('result')}
        data={outcomes.map((value) => ({ value, label: s(value) }))}
        value={fields.outcome ?? null}
        onChange={(outcome) => change({ outcome: outcome ?? undefined })}
        clearable
        w={130}
      />
      <Switch
        label={s('refreshes')}
        pb={8}
        checked={fields.refreshes === 'true'}
        onChange={({ currentTarget }) => change({ refreshes: currentTarget.checked ? 'true' : undefined })}
      />
      <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void exportAll()}>
        {s('exportCsv')}
      </Button>
    </Group>
  )
}

const dayMs = 86_400_000

/** The filters in the address, as the interface has them. The last day of a period is part of it. */
function useEvents() {
  const { identity } = useClient()
  const [{ actor, action, object, outcome, from, to, refreshes }] = useUrlState()
  const [wanted] = useDebouncedValue(object?.trim(), 300)
  const moment = (day: string, offset = 0) => new Date(new Date(`${day}T00:00`).getTime() + offset).toISOString()
  const filters: Record<string, string> = {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(wanted && { object: wanted }),
    ...(outcome && { outcome }),
    ...(from && { from: moment(from) }),
    ...(to && { to: moment(to, dayMs) }),
    ...(refreshes !== 'true' && { except: 'token.refresh' }),
  }
  const pages = useKeysetPages(
    ['settings', 'audit', filters],
    async (before, count) => {
      const query = { ...filters, count: String(count), ...(before && { before }) }
      return (await identity.listAudit({ query })).events ?? []
    },
    ({ seq }) => String(seq),
  )
  return { filters, ...pages }
}

const exported = ['at', 'actor', 'action', 'object', 'outcome', 'address', 'client', 'supportId'] as const
const most = 50_000
const pageSize = 1000

/** Loads all pages of the filtered log and saves them as a file. */
function useExport(filters: Readonly<Record<string, string>>) {
  const s = useTexts(systemTexts)
  const { identity } = useClient()
  return async () => {
    const all: Event[] = []
    let page: Event[]
    do {
      const before = all.at(-1)?.seq
      const query = { ...filters, count: String(pageSize), ...(before && { before: String(before) }) }
      page = (await identity.listAudit({ query })).events ?? []
      all.push(...page)
    } while (page.length === pageSize && all.length < most)
    const rows = all.map((event) => [
      ...exported.map((name) => String(event[name] ?? '')),
      JSON.stringify(event.detail ?? {}),
    ])
    const file = new Blob([toCsv([[...exported, 'detail'], ...rows])], { type: 'text/csv' })
    saveFile(URL.createObjectURL(file), 'audit.csv')
    if (all.length >= most) notifyDone(s('exportCut', { count: most }))
  }
}

function Detail({ event, onClose }: { event: Event; onClose: () => void }) {
  const s = useTexts(systemTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const wordOf = useActionWords()
  const facts: readonly (readonly [string, string | undefined])[] = [
    [s('when'), event.at && format.dateTime(event.at)],
    [s('who'), event.actor],
    [s('object'), event.object],
    [s('result'), s(event.outcome === 'failure' ? 'failure' : 'success')],
    [s('address'), event.address],
    [s('client'), event.client],
    [s('session'), event.session],
    [w('supportId'), event.supportId],
    ...Object.entries(event.detail ?? {}),
  ]
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={wordOf(event.action)}
      closeButtonProps={{ 'aria-label': w('close') }}
    >
      <Facts facts={facts} />
    </Drawer>
  )
}
