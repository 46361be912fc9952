/** The user's recent requests with any token, and their results. Refreshed every three seconds. */
import { ActionIcon, Badge, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { IconCopy, IconKey, IconPlugConnected } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../object/client.tsx'
import { ObjectList } from '../../object/list.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Empty, Loaded } from '../../ui/states.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { Method } from './method.tsx'
import { texts } from './texts.ts'

export function Requests() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const [{ by = 'others' }, change] = useUrlState()
  const log = useRequests()
  const scope = (
    <SegmentedControl
      aria-label={t('with')}
      value={by}
      onChange={(value) => change({ by: value })}
      data={[
        { value: 'others', label: t('others') },
        { value: 'all', label: t('everything') },
      ]}
    />
  )
  const copy = (id: string) => void navigator.clipboard.writeText(id).then(() => notifyDone(w('copied')))
  return (
    <Loaded query={log}>
      {(all) => (
        <ObjectList
          label={t('requests')}
          rows={all.filter(({ current }) => by === 'all' || !current)}
          keyOf={({ supportId = '' }) => supportId}
          tools={scope}
          empty={<NoRequests />}
          columns={[
            {
              id: 'when',
              title: t('when'),
              width: '9rem',
              text: ({ at = '' }) => at,
              show: ({ at = '' }) => <span title={format.dateTime(at)}>{format.ago(at)}</span>,
            },
            {
              id: 'method',
              title: t('method'),
              width: '6rem',
              text: ({ method = '' }) => method,
              show: ({ method = '' }) => <Method name={method} />,
            },
            { id: 'path', title: t('path'), width: 'minmax(14rem, 3fr)', text: ({ path = '' }) => path },
            {
              id: 'status',
              title: t('status'),
              width: '8rem',
              text: ({ status = '' }) => status,
              show: ({ status = '' }) => (
                <Badge variant="dot" tt="none" color={/^[23]/.test(status) ? 'teal' : 'red'}>
                  {status === 'broken' ? t('broken') : status}
                </Badge>
              ),
            },
            {
              id: 'took',
              title: t('took'),
              width: '6rem',
              align: 'end',
              text: ({ milliseconds = 0 }) => String(milliseconds),
              show: ({ milliseconds = 0 }) => `${format.number(milliseconds)} ms`,
            },
            {
              id: 'with',
              title: t('with'),
              width: 'minmax(8rem, 1fr)',
              text: ({ current, token, client = '' }) => (current ? t('thisBrowser') : (token ?? client)),
            },
            { id: 'address', title: t('address'), width: '8rem', text: ({ address = '' }) => address },
            {
              id: 'id',
              title: w('supportId'),
              width: '7rem',
              text: ({ supportId = '' }) => supportId,
              show: ({ supportId = '' }) => (
                <Tooltip label={supportId}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t('copyId', { id: supportId })}
                    onClick={() => copy(supportId)}
                  >
                    <IconCopy size={16} />
                  </ActionIcon>
                </Tooltip>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  )
}

/** Requests with the name of their personal token, unless the token was revoked or has expired. */
function useRequests() {
  const { identity, requests } = useClient()
  const { data: tokens = [] } = useQuery({
    queryKey: ['settings', 'tokens'],
    queryFn: async () => (await identity.listTokens()).tokens ?? [],
  })
  const names = new Map(tokens.map(({ session, name }) => [session, name]))
  return useQuery({
    queryKey: ['api', 'requests'],
    refetchInterval: 3000,
    queryFn: async () => (await requests.listRequests()).requests ?? [],
    select: (all) => all.map((request) => ({ ...request, token: names.get(request.session) })),
  })
}

function NoRequests() {
  const t = useTexts(texts)
  const tokens = (
    <Button
      leftSection={<IconKey size={16} />}
      renderRoot={(props) => <Link to="/settings" search={{ part: 'tokens' }} {...props} />}
    >
      {t('tokens')}
    </Button>
  )
  return (
    <Empty icon={IconPlugConnected} title={t('noRequests')} action={tokens}>
      {t('noRequestsHint')}
    </Empty>
  )
}
