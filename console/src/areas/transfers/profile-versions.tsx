/** The versions of a mapping profile: who changed it when, and a way back to each. */
import { Badge, Button, Modal, Table } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useFormat } from '../../ui/format.ts'
import { useTexts } from '../../ui/language.tsx'
import { notifyDone } from '../../ui/notifications.tsx'
import { Loaded } from '../../ui/states.tsx'
import { texts } from './texts.ts'
import { profilesKey, useTransferChange } from './use-transfers.ts'

export function ProfileVersions({ name }: { readonly name: string }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => setOpen(true)}>
        {t('versions')}
      </Button>
      {isOpen && (
        <Modal
          opened
          size="lg"
          title={t('versionsOf', { name })}
          onClose={() => setOpen(false)}
          closeButtonProps={{ 'aria-label': w('close') }}
        >
          <VersionTable name={name} />
        </Modal>
      )}
    </>
  )
}

function VersionTable({ name }: { readonly name: string }) {
  const t = useTexts(texts)
  const format = useFormat()
  const { transfers } = useClient()
  const change = useTransferChange()
  const query = useQuery({
    queryKey: [...profilesKey, name, 'versions'],
    queryFn: async () => (await transfers.listProfileVersions({ params: { name } })).versions ?? [],
  })
  const restore = (version: number) =>
    change(async () => {
      await transfers.restoreProfile({ params: { name, version: String(version) } })
      notifyDone(t('restored', { name, version }))
    })
  return (
    <Loaded query={query}>
      {(versions) => (
        <Table aria-label={t('versionsOf', { name })}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('version')}</Table.Th>
              <Table.Th>{t('changedAt')}</Table.Th>
              <Table.Th>{t('changedBy')}</Table.Th>
              <Table.Th>{t('mappedColumns')}</Table.Th>
              <Table.Th>{t('action')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions.map(({ version = 0, modifiedAt = '', modifiedBy = '', profile }, i) => (
              <Table.Tr key={version}>
                <Table.Td>{version}</Table.Td>
                <Table.Td>{format.dateTime(modifiedAt)}</Table.Td>
                <Table.Td>{modifiedBy}</Table.Td>
                <Table.Td>{format.number(profile?.columns?.length ?? 0)}</Table.Td>
                <Table.Td>
                  {i === 0 ? (
                    <Badge variant="light" tt="none">
                      {t('current')}
                    </Badge>
                  ) : (
                    <Button size="xs" variant="default" onClick={() => void restore(version)}>
                      {t('restoreVersion')}
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Loaded>
  )
}
