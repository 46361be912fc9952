/** The dialog that starts a workflow for given objects: it asks which workflow, then for its parameters. */
import { Button, Modal, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { commonTexts } from '../ui/common-texts.ts'
import { useTexts } from '../ui/language.tsx'
import { Loaded } from '../ui/states.tsx'
import { useClient } from './client.tsx'
import { useWords } from './linked/words.ts'
import { type Configuration, StartForm } from './start-form.tsx'
import { texts } from './start-texts.ts'

/** The workflows that can be started. */
export function useStartable() {
  const { workflow } = useClient()
  return useQuery({
    queryKey: ['workflow', 'configurations'],
    queryFn: async () =>
      ((await workflow.listConfigurations()).configurations ?? []).filter(({ enabled }) => enabled !== false),
  })
}

interface StartWorkflowProps {
  readonly kind: 'product' | 'file'
  readonly tids: readonly string[]
  readonly onClose: () => void
}

export function StartWorkflow({ kind, tids, onClose }: StartWorkflowProps) {
  const t = useTexts(texts)
  const word = useTexts(commonTexts)
  const words = useWords()
  const startable = useStartable()
  const [chosen, setChosen] = useState<Configuration>()
  if (chosen) return <StartForm configuration={chosen} kind={kind} tids={tids} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} title={t('startWorkflow')} closeButtonProps={{ 'aria-label': word('close') }}>
      <Loaded query={startable}>
        {(all) => {
          const suitable = all.filter(({ linkedTypes = [] }) => linkedTypes.some((one) => one === kind))
          return (
            <Stack gap="xs">
              {suitable.length === 0 && <Text size="sm">{t('noWorkflows')}</Text>}
              {suitable.map((configuration) => (
                <Button
                  key={configuration.identifier}
                  variant="default"
                  justify="flex-start"
                  onClick={() => setChosen(configuration)}
                >
                  {words.text(configuration.name)}
                </Button>
              ))}
            </Stack>
          )
        }}
      </Loaded>
    </Modal>
  )
}
