/** A share page or an upload request: its state, the files that wait, and the log of visits. */
import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { ShareForm } from '../../object/sharing/share-form.tsx'
import { sharingTexts } from '../../object/sharing/texts.ts'
import { type ReceivedFile, type Share, useReceived, useShareChange, useShareLog, type Visit } from '../../object/sharing/use-sharing.ts' // prettier-ignore
import { KindIcon } from '../../object/viewer/kind-icon.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { confirmDanger } from '../../ui/confirm.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { saveFile, toBlob } from '../../ui/save-file.ts'
import { Loaded } from '../../ui/states.tsx'
import classes from './sharing.module.css'

const colours = { active: 'green', expired: 'gray', revoked: 'red' } as const

export function ShareDetail({ share }: { share: Share }) {
  const t = useTexts(sharingTexts)
  const format = useFormat()
  const { state = 'active', owner = '' } = share
  const { name: userName } = useMe()
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{share.title}</Title>
          <Group gap="xs">
            <Badge variant="light" color={colours[state]} tt="none">
              {t(state)}
            </Badge>
            <Text size="sm" c="dimmed">
              {[
                t(share.kind),
                t('until', { date: format.date(share.expiresAt) }),
                ...(share.hasPassword ? [t('protected')] : []),
                t('byOwner', { name: owner }),
              ].join(' · ')}
            </Text>
          </Group>
          {share.message !== undefined && <Text>{share.message}</Text>}
        </div>
        <Group gap="xs">
          {state !== 'revoked' && owner === userName && <Edit share={share} />}
          {state === 'active' && <Revoke share={share} />}
        </Group>
      </Group>
      {share.kind === 'upload' && <Received share={share} />}
      <Log share={share} />
    </Stack>
  )
}

/** The list of pages does not have the assets of each. */
function Edit({ share }: { share: Share }) {
  const w = useTexts(commonTexts)
  const { shares } = useClient()
  const [stored, setStored] = useState<Share>()
  const open = async () => {
    try {
      setStored(await shares.getShare({ params: { id: String(share.id) } }))
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
  }
  const { kind, tids, collection } = stored ?? share
  const of = kind === 'upload' ? ('upload' as const) : { ...(tids && { tids }), ...(collection && { collection }) }
  return (
    <>
      <Button variant="default" onClick={() => void open()}>
        {w('edit')}
      </Button>
      {stored && <ShareForm of={of} stored={stored} onClose={() => setStored(undefined)} />}
    </>
  )
}

function Revoke({ share }: { share: Share }) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const { shares } = useClient()
  const change = useShareChange()
  const ask = () =>
    confirmDanger({
      title: t('revokeTitle'),
      body: t('revokeBody'),
      confirm: t('revoke'),
      cancel: w('cancel'),
      onConfirm: () => void change(() => shares.revokeShare({ params: { id: String(share.id) } })),
    })
  return (
    <Button variant="light" color="red" onClick={ask}>
      {t('revoke')}
    </Button>
  )
}

function Received({ share }: { share: Share }) {
  const t = useTexts(sharingTexts)
  const w = useTexts(commonTexts)
  const { shares } = useClient()
  const change = useShareChange()
  const files = useReceived(share.id!)
  const decide = (body: { accept?: number[]; reject?: number[] }) =>
    change(async () => {
      const { outcomes = [] } = await shares.decideReceived({ params: { id: String(share.id) }, body })
      const accepted = outcomes.filter(({ outcome }) => outcome === 'accepted')
      if (accepted.length > 0) notifyDone(t('acceptedDone', { count: accepted.length }))
      const refused = outcomes.find(({ outcome }) => outcome === 'refused')
      if (refused) notifyFailed(w('failed'), new Error(refused.problem))
    })
  const reject = (ids: number[]) =>
    confirmDanger({
      title: t('rejectTitle'),
      body: t('rejectBody'),
      confirm: t('reject'),
      cancel: w('cancel'),
      onConfirm: () => void decide({ reject: ids }),
    })
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3}>{t('received')}</Title>
        {(files.data?.length ?? 0) > 1 && (
          <ActionButton variant="default" action={() => decide({ accept: files.data!.map(({ id }) => id!) })}>
            {t('acceptAll')}
          </ActionButton>
        )}
      </Group>
      <Loaded query={files}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm">{t('waiting', { count: 0 })}</Text>
          ) : (
            <>
              <Text size="sm">{t('receivedBody')}</Text>
              <ul className={classes.tiles} aria-label={t('received')}>
                {all.map((file) => (
                  <li key={file.id} className={classes.tile}>
                    <Waiting share={share} file={file} />
                    <Group gap={4}>
                      <ActionButton
                        size="compact-sm"
                        aria-label={`${t('accept')}: ${file.name}`}
                        action={() => decide({ accept: [file.id!] })}
                      >
                        {t('accept')}
                      </ActionButton>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`${t('reject')}: ${file.name}`}
                        onClick={() => reject([file.id!])}
                      >
                        {t('reject')}
                      </Button>
                    </Group>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}

const toBlobUrl = async (...content: Parameters<typeof toBlob>) => URL.createObjectURL(await toBlob(...content))

function Waiting({ share, file }: { share: Share; file: ReceivedFile }) {
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { shares } = useClient()
  const params = { id: String(share.id), file: String(file.id) }
  const { data: picture } = useQuery({
    queryKey: ['received', file.id],
    queryFn: async () => toBlobUrl(await shares.previewReceived({ params }), 'image/jpeg'),
    enabled: file.mime?.startsWith('image/') ?? false,
    retry: false,
    gcTime: 0,
  })
  useEffect(() => () => URL.revokeObjectURL(picture ?? ''), [picture])
  const save = async () => {
    try {
      saveFile(await toBlobUrl(await shares.downloadReceived({ params }), 'application/octet-stream'), file.name)
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
  }
  return (
    <>
      <div className={classes.picture}>
        {picture ? <img src={picture} alt="" /> : <KindIcon type={undefined} size={44} />}
      </div>
      <Text size="xs" fw={550} truncate>
        {file.name}
      </Text>
      <Text size="xs" c="dimmed">
        {format.bytes(file.size ?? 0)} · {format.dateTime(file.receivedAt ?? '')}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={`${w('download')}: ${file.name}`}
        onClick={() => void save()}
      >
        {w('download')}
      </Button>
    </>
  )
}

const eventTexts = { visit: 'visit', download: 'event_download', zip: 'event_zip', delivery: 'delivery', wrongPassword: 'wrongPassword' } as const // prettier-ignore

function Log({ share }: { share: Share }) {
  const t = useTexts(sharingTexts)
  const format = useFormat()
  const log = useShareLog(share.id!)
  const row = ({ id, at = '', event = 'visit', what, address }: Visit) => (
    <Table.Tr key={id}>
      <Table.Td>{format.dateTime(at)}</Table.Td>
      <Table.Td>{t(eventTexts[event])}</Table.Td>
      <Table.Td>{what}</Table.Td>
      <Table.Td>{address}</Table.Td>
    </Table.Tr>
  )
  return (
    <Stack gap="xs">
      <Title order={3}>{t('log')}</Title>
      <Loaded query={log}>
        {(visits) =>
          visits.length === 0 ? (
            <Text size="sm">{t('noVisits')}</Text>
          ) : (
            <Table aria-label={t('log')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('when')}</Table.Th>
                  <Table.Th>{t('what')}</Table.Th>
                  <Table.Th>{t('file')}</Table.Th>
                  <Table.Th>{t('network')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>{visits.map(row)}</Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </Stack>
  )
}
