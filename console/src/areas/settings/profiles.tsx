/** Mapping profiles of imports and exports: their versions and files, and deleting them. They are edited while a file is mapped. */
import { ActionIcon, Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { Infer, TransferProfile } from '@kontor/contract'
import { IconTableOptions, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { ObjectList } from '../../object/list.tsx'
import { DownloadProfile, UploadProfile } from '../../object/profile-file.tsx'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { adminTexts } from './admin-texts.ts'
import { useAttempt } from './attempt.ts'
import { texts } from './texts.ts'

type Profile = Infer<typeof TransferProfile>

export function ProfilesPart() {
  const t = useTexts(texts)
  const a = useTexts(adminTexts)
  const w = useTexts(commonTexts)
  const { transfers } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const [opened, setOpened] = useState<string>()
  const profiles = useQuery({
    queryKey: ['settings', 'profiles'],
    queryFn: async () => (await transfers.listProfiles()).profiles ?? [],
  })
  const remove = (name: string) =>
    confirmDelete(a('deleteProfile', { name }), a('deleteProfileBody'), () =>
      attempt(transfers.deleteProfile({ params: { name } })),
    )
  const tools = (
    <Group gap="xs">
      <UploadProfile />
      <Button variant="default" renderRoot={(props) => <Link to="/transfers" {...props} />}>
        {a('toTransfers')}
      </Button>
    </Group>
  )
  return (
    <Loaded query={profiles}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={IconTableOptions} title={a('noProfiles')} action={tools}>
            {a('noProfilesHint')}
          </Empty>
        ) : (
          <>
            <ObjectList<Profile>
              label={t('profiles')}
              rows={all}
              keyOf={({ name = '' }) => name}
              onOpen={({ name }) => setOpened(name)}
              tools={tools}
              columns={[
                { id: 'name', title: w('name'), width: 'minmax(10rem, 1fr)', text: ({ name = '' }) => name },
                {
                  id: 'description',
                  title: t('description'),
                  width: 'minmax(10rem, 2fr)',
                  text: ({ description = '' }) => description,
                },
                {
                  id: 'layout',
                  title: a('layout'),
                  width: '8rem',
                  text: ({ layout = 'plain' }) => (layout === 'plain' ? a('plainLayout') : layout),
                },
                {
                  id: 'columns',
                  title: a('columns'),
                  width: '7rem',
                  text: ({ columns = [] }) => String(columns.length),
                },
                {
                  id: 'actions',
                  title: w('actions'),
                  width: '11rem',
                  text: () => '',
                  show: ({ name = '' }) => (
                    <Group gap={4} wrap="nowrap">
                      <Button size="compact-sm" variant="subtle" onClick={() => setOpened(name)}>
                        {a('versions')}
                      </Button>
                      <DownloadProfile name={name} />
                      <ActionIcon
                        variant="subtle"
                        color="red"
                        aria-label={`${w('delete')}: ${name}`}
                        onClick={() => remove(name)}
                      >
                        <IconTrash size={16} />
                      </ActionIcon>
                    </Group>
                  ),
                },
              ]}
            />
            {opened && <Versions name={opened} onClose={() => setOpened(undefined)} />}
          </>
        )
      }
    </Loaded>
  )
}

function Versions({ name, onClose }: { name: string; onClose: () => void }) {
  const a = useTexts(adminTexts)
  const w = useTexts(commonTexts)
  const format = useFormat()
  const { transfers } = useClient()
  const attempt = useAttempt()
  const versions = useQuery({
    queryKey: ['settings', 'profiles', name],
    queryFn: async () => (await transfers.listProfileVersions({ params: { name } })).versions ?? [],
  })
  return (
    <Modal opened onClose={onClose} title={a('versionsOf', { name })} closeButtonProps={{ 'aria-label': w('close') }}>
      <Loaded query={versions}>
        {(all) => (
          <Stack gap="xs">
            {all.map(({ version = 0, modifiedAt = '', modifiedBy = '' }, index) => (
              <Group key={version} justify="space-between" wrap="nowrap">
                <Text size="sm">{a('versionLine', { version, at: format.dateTime(modifiedAt), by: modifiedBy })}</Text>
                {index === 0 ? (
                  <Badge variant="light" tt="none">
                    {a('current')}
                  </Badge>
                ) : (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    onClick={() =>
                      void attempt(
                        transfers.restoreProfile({ params: { name, version: String(version) } }),
                        a('restored'),
                      )
                    }
                  >
                    {a('restore')}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Modal>
  )
}
