/** The audit log, newest first, filtered on the server and loaded page by page. */
import { Badge, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { AuditEntry } from '@kontor/contract'
import { IconShieldCheck } from '@tabler/icons-react'
import { useClient } from '../../object/client.tsx'
import { hide } from '../../object/fields.ts'
import { useKeysetPages } from '../../object/keyset-pages.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty } from '../../ui/states.tsx'
import { texts } from './texts.ts'

export function AuditPart() {
  const t = useTexts(texts)
  const labelOf = useLabels(texts)
  const [{ actor = '', action = '' }, change] = useUrlState()
  const { query, paging } = useEvents(actor, action)
  const filterOf = (name: 'actor' | 'action', value: string) => (
    <TextInput
      aria-label={t(name)}
      placeholder={t(name)}
      value={value}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <ListPage
      type={AuditEntry}
      label={t('audit')}
      query={query}
      paging={paging}
      labelOf={labelOf}
      keyOf={({ seq }) => String(seq)}
      filter={false}
      tools={
        <>
          {filterOf('actor', actor)}
          {filterOf('action', action)}
        </>
      }
      emptyList={<Empty icon={IconShieldCheck} title={t('noAudit')} />}
      rowHeight={36}
      fields={{
        at: { width: '11.5rem' },
        actor: { width: 'minmax(6rem, 1fr)' },
        action: { width: 'minmax(8rem, 1fr)' },
        object: { width: 'minmax(6rem, 1fr)' },
        address: { width: '7rem' },
        outcome: {
          width: '6.5rem',
          show: ({ outcome }) => (
            <Badge variant="dot" tt="none" color={outcome === 'failure' ? 'red' : 'teal'}>
              {t(outcome === 'failure' ? 'failure' : 'success')}
            </Badge>
          ),
        },
        ...hide('seq', 'client', 'session', 'supportId'),
      }}
    />
  )
}

function useEvents(actor: string, action: string) {
  const { identity } = useClient()
  const [wanted] = useDebouncedValue({ actor, action }, 300)
  return useKeysetPages(
    ['settings', 'audit', wanted],
    async (before, count) => {
      const filters = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''))
      const query = { ...filters, count: String(count), ...(before && { before }) }
      return (await identity.listAudit({ query })).events ?? []
    },
    ({ seq }) => String(seq),
  )
}
