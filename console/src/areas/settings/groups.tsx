/** Groups of users: their members have the roles of the group. */
import { ActionIcon, Button, Group } from '@mantine/core'
import { type Infer, UserGroup } from '@kontor/contract'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../object/client.tsx'
import { useConfirmDelete } from '../../object/confirm-delete.ts'
import { useLabels } from '../../object/labels.ts'
import { ListPage } from '../../object/list-page.tsx'
import { useTexts } from '../../ui/language.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { useAttempt } from './attempt.ts'
import { GroupDialog } from './group-dialog.tsx'
import { texts } from './texts.ts'

export function GroupsPart() {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const labelOf = useLabels(texts)
  const { identity } = useClient()
  const attempt = useAttempt()
  const confirmDelete = useConfirmDelete()
  const [edited, setEdited] = useState<Infer<typeof UserGroup>>()
  const groups = useQuery({
    queryKey: ['settings', 'groups'],
    queryFn: async () => (await identity.listGroups()).groups ?? [],
  })
  const remove = (name: string) =>
    confirmDelete(t('deleteGroup', { name }), t('deleteGroupBody'), () =>
      attempt(identity.deleteGroup({ params: { name } })),
    )
  return (
    <>
      <ListPage
        type={UserGroup}
        label={t('groups')}
        query={groups}
        labelOf={labelOf}
        keyOf={({ name = '' }) => name}
        onOpen={setEdited}
        tools={<Button onClick={() => setEdited({})}>{t('newGroup')}</Button>}
        fields={{
          name: {},
          description: { width: 'minmax(10rem, 2fr)' },
          roles: { width: 'minmax(10rem, 2fr)', text: ({ roles = [] }) => roles.join(', ') },
          members: { width: '8rem' },
        }}
        actions={(group) => (
          <Group gap={4} wrap="nowrap">
            <Button size="compact-sm" variant="subtle" onClick={() => setEdited(group)}>
              {w('edit')}
            </Button>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${w('delete')}: ${group.name}`}
              onClick={() => remove(group.name!)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )}
        actionsWidth="9rem"
      />
      {edited && (
        <GroupDialog
          group={edited}
          taken={(groups.data ?? []).flatMap(({ name }) => name ?? [])}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}
