/** Workflow definitions as diagrams: view, edit, check and deploy a new version. */
import { Alert, Button, Group, List, NavLink, Stack } from '@mantine/core'
import type { DefinitionFault, Infer } from '@kontor/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useClient, useMe } from '../../object/client.tsx'
import { useWords } from '../../object/linked/words.ts'
import { useTexts } from '../../ui/language.tsx'
import { Panes } from '../../ui/page.tsx'
import { useUrlState } from '../../ui/url-state.ts'
import { Loaded, Loading } from '../../ui/states.tsx'
import { notifyDone, notifyFailed } from '../../ui/notifications.tsx'
import { commonTexts } from '../../ui/common-texts.ts'
import { texts } from './texts.ts'

const Diagram = lazy(() => import('../../object/diagram.tsx').then(({ Diagram: loaded }) => ({ default: loaded })))
type Fault = Infer<typeof DefinitionFault>

export function Definitions() {
  const t = useTexts(texts)
  const words = useWords()
  const { workflow } = useClient()
  const [{ definition }, change] = useUrlState()
  const definitions = useQuery({
    queryKey: ['workflow', 'definitions'],
    queryFn: async () => (await workflow.listDefinitions()).definitions ?? [],
  })
  return (
    <Loaded query={definitions}>
      {(all) => {
        const chosen = all.find(({ id }) => String(id) === definition) ?? all[0]
        return (
          <Panes
            sideLabel={t('definitions')}
            side={
              <Stack gap={0} p="xs">
                {all.map(({ id, name, key, version = 1 }) => (
                  <NavLink
                    key={String(id)}
                    component="button"
                    label={words.text(name ?? key)}
                    description={t('version', { version: Number(version) })}
                    active={id === chosen?.id}
                    onClick={() => change({ definition: String(id) }, true)}
                  />
                ))}
              </Stack>
            }
          >
            {chosen && (
              <Definition key={String(chosen.id)} id={String(chosen.id)} name={words.text(chosen.name ?? chosen.key)} />
            )}
          </Panes>
        )
      }}
    </Loaded>
  )
}

function Definition({ id, name }: { id: string; name: string }) {
  const t = useTexts(texts)
  const w = useTexts(commonTexts)
  const words = useWords()
  const { workflow } = useClient()
  const { roles = [] } = useMe()
  const queryClient = useQueryClient()
  const [editing, setEditing] = useState(false)
  const [changed, setChanged] = useState<string>()
  const [faults, setFaults] = useState<readonly Fault[]>()
  const file = useQuery({
    queryKey: ['workflow', 'file', id],
    queryFn: () => workflow.retrieveDiagram({ params: { id } }),
    staleTime: Infinity,
  })
  const check = async (xml: string) => setFaults((await workflow.checkDefinition({ body: { xml } })).faults ?? [])
  const deploy = async (xml: string) => {
    try {
      await workflow.deployDefinition({ body: { xml } })
      notifyDone(t('deployed'))
      setEditing(false)
    } catch (error) {
      notifyFailed(w('failed'), error)
    }
    await queryClient.invalidateQueries({ queryKey: ['workflow', 'definitions'] })
  }
  return (
    <Loaded query={file}>
      {(xml) => (
        <Stack p="sm" h="100%">
          <Group gap="xs" justify="flex-end">
            <Button size="compact-sm" variant="subtle" onClick={() => void check(changed ?? xml)}>
              {t('check')}
            </Button>
            {roles.includes('admin') && !editing && (
              <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)}>
                {t('edit')}
              </Button>
            )}
            {editing && (
              <Button size="compact-sm" disabled={changed === undefined} onClick={() => void deploy(changed!)}>
                {t('deploy')}
              </Button>
            )}
          </Group>
          {faults && (
            <Alert
              color={faults.length > 0 ? 'red' : 'teal'}
              title={faults.length > 0 ? t('faults', { count: faults.length }) : t('noFaults')}
              withCloseButton
              closeButtonLabel={w('close')}
              onClose={() => setFaults(undefined)}
            >
              <List size="sm">
                {faults.map(({ element, name: named, reason }, i) => (
                  <List.Item key={i}>{[named ?? element, reason].filter(Boolean).join(': ')}</List.Item>
                ))}
              </List>
            </Alert>
          )}
          <Suspense fallback={<Loading shape="picture" />}>
            <Diagram xml={xml} label={name} words={words.text} {...(editing && { onChange: setChanged })} />
          </Suspense>
        </Stack>
      )}
    </Loaded>
  )
}
